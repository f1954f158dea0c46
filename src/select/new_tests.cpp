#include "select/new_tests.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

#include <map>
#include <set>

namespace retest {

namespace {

/// The names of recorded tests by program. What findTests adds to tell tests apart is cut off:
/// "name (suite)", "name [entry]", "name #2".
class RecordedNames {
public:
  explicit RecordedNames(llvm::ArrayRef<RecordedTest> tests) {
    for (const RecordedTest &test : tests) {
      if (test.binary.empty())
        continue;
      llvm::StringSet<> &names = names_[test.binary];
      names.insert(test.name);
      llvm::StringRef name = test.name;
      for (llvm::StringRef mark : {" #", " [", " ("}) {
        name = name.substr(0, name.rfind(mark));
        names.insert(name);
      }
    }
  }

  bool contains(const std::string &binary, llvm::StringRef name) const {
    auto known = names_.find(binary);
    return known != names_.end() && known->second.contains(name);
  }
  bool hasTests(const std::string &binary) const { return names_.count(binary) != 0; }

private:
  std::map<std::string, llvm::StringSet<>> names_;
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
    findRemoved();
    RegisteredTests result;
    result.added.assign(added_.begin(), added_.end());
    for (auto &[binary, unnamed] : changed_)
      result.changes.push_back({binary, testsOfWhole(binary), {unnamed.begin(), unnamed.end()}});
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
    std::multimap<UnitId, const ProgramGraph *> programs = programsOf(current_);
    for (std::uint32_t i = 0; i < current_.units.size(); ++i)
      if (units.count(current_.units[i].name))
        for (auto [program, end] = programs.equal_range(UnitId{i}); program != end; ++program)
          for (FunctionId function : current_.units[i].functions)
            if (current_[function].isTestRegistration)
              addRegistration(current_[function], *program->second, differing.count(function));
  }

  void addRegistration(const Function &function, const ProgramGraph &program, bool isOther) {
    std::string binary = names_.text(program.name).str();
    if (function.registeredTest.empty() || program.kind != ProgramKind::Executable)
      return;
    if (function.registeredTest == kManyTests) {
      if (isOther)
        changed_[binary].insert(function.where.begin);
      return;
    }
    if (recorded_.contains(binary, function.registeredTest))
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

  /// A test less changes what the whole program says.
  void findRemoved() {
    std::multimap<UnitId, const ProgramGraph *> programs = programsOf(baseline_);
    for (const FunctionChange &change : delta_.functions)
      if (change.kind == FunctionChangeKind::Removed &&
          baseline_[change.baseline].isTestRegistration) {
        UnitId unit = baseline_.functionUnits[change.baseline.value];
        for (auto [program, end] = programs.equal_range(unit); program != end; ++program)
          changed_[names_.text(program->second->name).str()];
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
  std::map<std::string, std::set<SourcePosition>> changed_;
};

} // namespace

RegisteredTests registeredTests(const Delta &delta, const Project &baseline, const Project &current,
                                const Names &names, llvm::ArrayRef<RecordedTest> tests) {
  return RegistrationSearch(delta, baseline, current, names, tests).find();
}

} // namespace retest
