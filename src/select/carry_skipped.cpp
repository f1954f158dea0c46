#include "select/carry_skipped.h"

#include "select/carry_forward.h"

#include <map>
#include <set>

namespace retest {

namespace {

constexpr char kPending[] = "it was selected, and did not run";

/// The registrations of tests in each program, by name of the function and by line.
class Registrations {
public:
  Registrations(const Project &project, const Names &names) : project_(project), names_(names) {
    for (const ProgramGraph &program : project.programs)
      for (FunctionId id : functionsOf(project, program))
        if (project[id].isTestRegistration) {
          Program &known = programs_[names.text(program.name).str()];
          known.byName.emplace(project[id].name, id);
          known.byLine.emplace(project[id].where.begin.line, id);
        }
  }

  /// The only one where the test is written.
  const Function *of(const RecordedTest &test) const {
    return onlyOne(test.binary, &Program::byLine, test.line, [&](const Function &function) {
      return names_.text(function.where.begin.file) == test.file;
    });
  }

  const Function *named(const std::string &binary, NameId name) const {
    return onlyOne(binary, &Program::byName, name, [](const Function &) { return true; });
  }

private:
  struct Program {
    std::multimap<NameId, FunctionId> byName;
    std::multimap<std::uint32_t, FunctionId> byLine;
  };

  template <class Key, class Fits>
  const Function *onlyOne(const std::string &binary, std::multimap<Key, FunctionId> Program::*by,
                          Key key, Fits fits) const {
    auto program = programs_.find(binary);
    if (program == programs_.end())
      return nullptr;
    const Function *found = nullptr;
    for (auto [each, end] = (program->second.*by).equal_range(key); each != end; ++each)
      if (const Function &function = project_[each->second]; fits(function)) {
        if (found)
          return nullptr;
        found = &function;
      }
    return found;
  }

  const Project &project_;
  const Names &names_;
  std::map<std::string, Program> programs_;
};

/// Libraries of the project that a program did not load before its first step, and does now.
class AddedImages {
public:
  AddedImages(const Project &baseline, const Project &current, const Names &names) {
    std::set<std::pair<NameId, NameId>> before;
    for (const ProgramGraph &program : baseline.programs)
      for (NameId image : program.images)
        before.insert({program.name, image});
    for (const ProgramGraph &program : current.programs)
      for (NameId image : program.images)
        if (!before.contains({program.name, image}))
          added_[names.text(program.name)].push_back(names.text(image).str());
  }

  void addTo(RecordedTest &test) const {
    std::set<std::string> all(test.programs.begin(), test.programs.end());
    for (const std::string &program : test.programs)
      if (auto found = added_.find(program); found != added_.end())
        all.insert(found->second.begin(), found->second.end());
    test.programs.assign(all.begin(), all.end());
  }

private:
  llvm::StringMap<std::vector<std::string>> added_; ///< by program
};

class Carrying {
public:
  Carrying(const SkippedTests &skipped, const llvm::BitVector &hasRun,
           std::vector<RecordedTest> &tests)
      : skipped_(skipped), hasRun_(hasRun), tests_(tests), ids_(skipped.recorded.tests.size()),
        before_(skipped.baseline, skipped.names), after_(skipped.current, skipped.names),
        addedImages_(skipped.baseline, skipped.current, skipped.names) {}

  /// For each recorded test its number now, if it is carried.
  const std::vector<TestId> &takeRecordings() {
    std::map<std::pair<std::string, std::string>, TestId> numbers;
    for (std::uint32_t i = 0; i < tests_.size(); ++i)
      numbers[{tests_[i].binary, tests_[i].name}] = {i};
    for (std::uint32_t i = 0; i < ids_.size(); ++i) {
      const RecordedTest &then = skipped_.recorded.tests[i];
      auto found = numbers.find({then.binary, then.name});
      if (found == numbers.end() || hasRun_.test(found->second.value))
        continue;
      RecordedTest &now = tests_[found->second.value];
      if (skipped_.unbuilt.contains(then.binary))
        move(now);
      if (now.status == TestStatus::Disabled)
        continue;
      if (take(then, skipped_.verdicts[i], now))
        ids_[i] = found->second;
    }
    return ids_;
  }

private:
  /// Whether it is carried.
  bool take(const RecordedTest &then, const TestVerdict &verdict, RecordedTest &now) const {
    bool isCarried = verdict.verdict == Verdict::Skipped && then.unmeasured.empty();
    std::string why = now.unmeasured.empty() ? kPending : now.unmeasured;
    if (then.status != TestStatus::Disabled)
      now.status = then.status;
    now.duration = then.duration;
    now.programs = then.programs;
    addedImages_.addTo(now);
    now.files = then.files;
    now.unmeasured = isCarried ? "" : std::move(why);
    return isCarried;
  }

  void move(RecordedTest &test) const {
    const Function *old = before_.of(test);
    const Function *now = old ? after_.named(test.binary, old->name) : nullptr;
    if (!now || now->registeredTest != old->registeredTest || !now->where.begin.isKnown())
      return;
    test.file = skipped_.names.text(now->where.begin.file).str();
    test.line = now->where.begin.line;
  }

  const SkippedTests &skipped_;
  const llvm::BitVector &hasRun_;
  std::vector<RecordedTest> &tests_;
  std::vector<TestId> ids_; ///< by recorded TestId
  Registrations before_, after_;
  AddedImages addedImages_;
};

} // namespace

llvm::Error carrySkipped(const SkippedTests &skipped, const llvm::BitVector &hasRun,
                         std::vector<RecordedTest> &tests, CoverageCollector &collector) {
  assert(skipped.verdicts.size() == skipped.recorded.tests.size() && "each test has a verdict");
  assert(hasRun.size() == tests.size() && "each test ran or did not");
  Carrying carrying(skipped, hasRun, tests);
  const std::vector<TestId> &ids = carrying.takeRecordings();
  llvm::Expected<CarriedForward> carried = carryForward(
      skipped.recorded, skipped.baseline, skipped.current, skipped.names, skipped.delta, ids);
  if (!carried)
    return carried.takeError();
  for (LostTest &lost : carried->lost)
    tests[lost.test.value].unmeasured = std::move(lost.reason);
  for (const auto &image : skipped.unbuilt)
    collector.addUnbuilt(image.getKey());
  collector.addCarried(std::move(carried->coverage));
  return llvm::Error::success();
}

} // namespace retest
