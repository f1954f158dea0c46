#include "report/program_tests.h"

#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/ErrorHandling.h>

#include <map>
#include <set>

namespace retest {

namespace {

NativeTest nativeTest(const RecordedTest &test) {
  NativeTest native{nativeNameOf(test), test.suite};
  if (test.native) {
    native.isDisabled = test.native->isDisabled;
    native.bringsOthers = test.native->bringsOthers;
  } else {
    native.bringsOthers = true; // it is not known
  }
  // Where it is CTest that does not run it, nobody says that it may be left out.
  native.isDisabled |= test.status == TestStatus::Disabled;
  return native;
}

class ProgramBuilder {
public:
  explicit ProgramBuilder(ProgramTests &program) : program_(program) {}

  void add(const ReportedTest &reported) {
    const RecordedTest &test = reported.test;
    if (test.framework)
      program_.framework = test.framework;
    program_.areNamesKnown &= test.native.has_value() || reported.verdict == Verdict::New;
    program_.areSuitesNeeded |=
        reported.verdict == Verdict::New && test.framework == Framework::Doctest &&
        (test.name.empty() || test.name.find_first_of("*?,\\") != std::string::npos);
    NativeTest native = nativeTest(test);
    auto [known, isNew] = indices_.try_emplace({native.suite, native.name}, program_.tests.size());
    if (isNew) {
      program_.tests.push_back(native);
      program_.isWanted.push_back(isSelected(reported));
      return;
    }
    // The same test, run in another way.
    program_.isWanted[known->second] = program_.isWanted[known->second] || isSelected(reported);
    program_.tests[known->second].bringsOthers |= native.bringsOthers;
  }

private:
  ProgramTests &program_;
  std::map<std::pair<std::string, std::string>, std::size_t> indices_;
};

void append(ProgramFilter &result, SuiteFilter filter, const ProgramTests &program) {
  for (RunnerStart &start : filter.starts)
    result.starts.push_back(std::move(start));
  for (std::size_t i : filter.extra)
    result.extra.push_back(program.tests[i]);
}

} // namespace

std::vector<ProgramTests> programsOf(const SelectionReport &report) {
  std::map<std::string, ProgramTests> programs;
  std::map<std::string, ProgramBuilder> builders;
  for (const ReportedTest &test : report.tests) {
    const std::string &binary = test.test.binary;
    if (binary.empty())
      continue;
    ProgramTests &program = programs[binary];
    program.binary = binary;
    program.isOpen = !report.reason.empty() || llvm::is_contained(report.open, binary);
    builders.try_emplace(binary, program).first->second.add(test);
  }
  std::vector<ProgramTests> result;
  for (auto &[binary, program] : programs)
    result.push_back(std::move(program));
  return result;
}

bool namesBinary(llvm::StringRef typed, llvm::StringRef binary) {
  return typed.empty() || binary == typed || (binary.consume_back(typed) && binary.ends_with("/"));
}

std::vector<std::string> programsWithMore(const SelectionReport &report) {
  std::set<std::string> programs(report.open.begin(), report.open.end());
  for (const ReportedTest &test : report.tests)
    if (test.verdict == Verdict::New && !test.test.binary.empty())
      programs.insert(test.test.binary);
  return {programs.begin(), programs.end()};
}

llvm::Expected<ProgramFilter> programFilter(const ProgramTests &program, Framework framework,
                                            FilterForm form) {
  ProgramFilter result;
  if (form == FilterForm::Include) {
    if (!program.areNamesKnown)
      return error(ErrorKind::Store,
                   "{}: its tests were recorded by an older retest, which did not keep their own "
                   "names; record them again, or use --form exclude",
                   program.binary);
    std::vector<bool> isWanted = program.isWanted;
    if (program.areSuitesNeeded)
      isWanted.assign(isWanted.size(), true);
    append(result, suiteFilter(framework, program.tests, isWanted, form), program);
    for (std::size_t i = 0; i < isWanted.size(); ++i)
      if (isWanted[i] && !program.isWanted[i])
        result.extra.push_back(program.tests[i]);
    return result;
  }
  SuiteFilter filter = suiteFilter(framework, program.tests, program.isWanted, form,
                                   program.isOpen ? Unlisted::Any : Unlisted::Distinct);
  std::vector<bool> isAsleep(program.tests.size());
  for (std::size_t i : filter.asleep)
    isAsleep[i] = true;
  append(result, std::move(filter), program);
  if (llvm::is_contained(isAsleep, true))
    append(result, suiteFilter(framework, program.tests, isAsleep, FilterForm::Include), program);
  return result;
}

std::string everythingText(Framework framework) {
  switch (framework) {
  case Framework::GoogleTest:
    return "--gtest_filter=*";
  case Framework::Catch2:
    return "# all tests"; // a line of a file; a pattern for all names would wake hidden tests
  case Framework::Doctest:
    return "--dt-test-case=*";
  case Framework::BoostTest:
    return "--random=0"; // its own default; a pattern for all names would wake disabled tests
  }
  llvm_unreachable("each framework runs everything in some way");
}

std::string nothingText(Framework framework) {
  switch (framework) {
  case Framework::GoogleTest:
    return "--gtest_filter=-*";
  case Framework::Catch2:
    return "\"*\"~\"*\"";
  case Framework::Doctest:
    return "--dt-test-case-exclude=*";
  case Framework::BoostTest:
    return "--run_test=!*"; // it calls that an error: 200
  }
  llvm_unreachable("each framework runs nothing in some way");
}

} // namespace retest
