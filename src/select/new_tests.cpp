#include "select/new_tests.h"

#include <llvm/ADT/STLExtras.h>

#include <map>
#include <set>

namespace retest {

namespace {

/// The recorded tests of each program by the names that their framework gives them.
class RecordedNames {
public:
  explicit RecordedNames(llvm::ArrayRef<RecordedTest> tests) {
    for (std::uint32_t i = 0; i < tests.size(); ++i) {
      const RecordedTest &test = tests[i];
      if (test.binary.empty())
        continue;
      programs_.insert(test.binary);
      tests_[{test.binary, nativeNameOf(test)}].push_back({i});
      if (!test.native)
        unsure_[test.binary].push_back({i});
    }
  }

  /// None: no such test was recorded.
  llvm::ArrayRef<TestId> testsOf(const std::string &binary, const std::string &name) const {
    auto known = tests_.find({binary, name});
    return known == tests_.end() ? llvm::ArrayRef<TestId>() : llvm::ArrayRef(known->second);
  }
  /// Tests that an older retest recorded, which did not keep these names.
  llvm::ArrayRef<TestId> unsureOf(const std::string &binary) const {
    auto known = unsure_.find(binary);
    return known == unsure_.end() ? llvm::ArrayRef<TestId>() : llvm::ArrayRef(known->second);
  }
  bool hasTests(const std::string &binary) const { return programs_.count(binary) != 0; }

private:
  std::map<std::pair<std::string, std::string>, std::vector<TestId>> tests_;
  std::map<std::string, std::vector<TestId>> unsure_;
  std::set<std::string> programs_;
};

/// The programs that contain each unit.
std::multimap<UnitId, const ProgramGraph *> programsOf(const Project &project) {
  std::multimap<UnitId, const ProgramGraph *> programs;
  for (const ProgramGraph &program : project.programs)
    for (UnitId unit : unitsOf(program))
      programs.emplace(unit, &program);
  return programs;
}

class RegistrationSearch {
public:
  RegistrationSearch(const Delta &delta, const Project &baseline, const Project &current,
                     const Names &names, llvm::ArrayRef<RecordedTest> tests)
      : delta_(delta), baseline_(baseline), current_(current), names_(names), tests_(tests),
        recorded_(tests) {}

  RegisteredTests find() {
    findAdded();
    findOther();
    RegisteredTests result;
    result.added.assign(added_.begin(), added_.end());
    result.reregistered.assign(reregistered_.begin(), reregistered_.end());
    for (auto &[binary, change] : changed_) {
      llvm::append_range(change.tests, testsOfWhole(binary));
      llvm::sort(change.tests);
      change.tests.erase(std::unique(change.tests.begin(), change.tests.end()), change.tests.end());
      result.changes.push_back(
          {binary, change.tests, {change.unnamed.begin(), change.unnamed.end()}});
    }
    return result;
  }

private:
  void findAdded() {
    std::set<FunctionId> differing;
    for (const FunctionChange &change : delta_.functions)
      if (change.current.isValid() && change.kind != FunctionChangeKind::Moved)
        differing.insert(change.current);
    std::set<NameId> units(delta_.changedUnits.begin(), delta_.changedUnits.end());
    units.insert(delta_.addedUnits.begin(), delta_.addedUnits.end());
    std::set<std::pair<NameId, NameId>> linked; // program and unit
    for (const ProgramGraph &program : baseline_.programs)
      for (UnitId unit : unitsOf(program))
        linked.emplace(program.name, baseline_.units[unit.value].name);
    for (const ProgramGraph &program : current_.programs)
      for (UnitId unit : unitsOf(program)) {
        bool isNewThere = !linked.count({program.name, current_.units[unit.value].name});
        if (!isNewThere && !units.count(current_.units[unit.value].name))
          continue;
        for (FunctionId function : current_.units[unit.value].functions)
          if (current_[function].isTestRegistration)
            addRegistration(current_[function], program, isNewThere || differing.count(function));
      }
  }

  void addRegistration(const Function &function, const ProgramGraph &program, bool isOther) {
    std::string binary = names_.text(program.name).str();
    if (isOther)
      reregistered_.insert(binary);
    if (function.registeredTest.empty() || program.kind != ProgramKind::Executable)
      return;
    if (function.registeredTest == kManyTests) {
      if (isOther)
        changed_[binary].unnamed.insert(function.where.begin);
      return;
    }
    if (!recorded_.testsOf(binary, function.registeredTest).empty())
      return;
    // A program whose tests are not run one by one has none that could be new.
    if (isOther)
      changed_[binary];
    if (recorded_.hasTests(binary) || testsOfWhole(binary).empty())
      added_.insert(
          {binary, function.registeredTest,
           function.where.begin.isKnown() ? names_.text(function.where.begin.file).str() : "",
           function.where.begin.line});
  }

  /// A test that is made known in another way (decorators, tags), or no longer; and a test less
  /// changes what the whole program says.
  void findOther() {
    std::multimap<UnitId, const ProgramGraph *> programs = programsOf(baseline_);
    for (const FunctionChange &change : delta_.functions) {
      if (!change.baseline.isValid() || change.kind == FunctionChangeKind::Moved ||
          !baseline_[change.baseline].isTestRegistration)
        continue;
      UnitId unit = baseline_.functionUnits[change.baseline.value];
      for (auto [program, end] = programs.equal_range(unit); program != end; ++program) {
        std::string binary = names_.text(program->second->name).str();
        llvm::append_range(changed_[binary].tests,
                           recorded_.testsOf(binary, baseline_[change.baseline].registeredTest));
        llvm::append_range(changed_[binary].tests, recorded_.unsureOf(binary));
      }
    }
  }

  std::vector<TestId> testsOfWhole(const std::string &binary) const {
    std::vector<TestId> whole;
    for (std::uint32_t i = 0; i < tests_.size(); ++i)
      if (!tests_[i].framework && llvm::is_contained(tests_[i].programs, binary))
        whole.push_back({i});
    return whole;
  }

  const Delta &delta_;
  const Project &baseline_, &current_;
  const Names &names_;
  llvm::ArrayRef<RecordedTest> tests_;
  RecordedNames recorded_;
  std::set<NewTest> added_;
  struct Change {
    std::vector<TestId> tests;
    std::set<SourcePosition> unnamed;
  };
  std::map<std::string, Change> changed_; ///< by binary
  std::set<std::string> reregistered_;
};

} // namespace

RegisteredTests registeredTests(const Delta &delta, const Project &baseline, const Project &current,
                                const Names &names, llvm::ArrayRef<RecordedTest> tests) {
  return RegistrationSearch(delta, baseline, current, names, tests).find();
}

} // namespace retest
