#include "report/verification.h"

#include "report/junit.h"
#include "report/program_tests.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <map>
#include <set>

namespace retest {

namespace {

using Tests = std::vector<std::size_t>;

bool speaks(ReportDialect dialect, const RecordedTest &test) {
  if (dialect == ReportDialect::Retest)
    return true;
  if (test.binary.empty())
    return dialect == ReportDialect::CTest;
  if (!test.framework) // a new program
    return dialect != ReportDialect::CTest;
  switch (dialect) {
  case ReportDialect::GoogleTest:
    return test.framework == Framework::GoogleTest;
  case ReportDialect::Names:
    return test.framework == Framework::Catch2 || test.framework == Framework::Doctest;
  case ReportDialect::BoostTest:
    return test.framework == Framework::BoostTest;
  case ReportDialect::CTest: // known by their entries
  case ReportDialect::Retest:
    return false;
  }
  return false;
}

std::string keyOf(ReportDialect dialect, const RecordedTest &test) {
  if (dialect == ReportDialect::Retest)
    return test.name;
  const std::string &name = nativeNameOf(test);
  if (dialect == ReportDialect::BoostTest)
    return boostReportName(name);
  return dialect == ReportDialect::Names ? llvm::StringRef(name).trim().str() : name;
}

/// A new test that its framework does not run, by its name.
bool isBornDisabled(const ReportedTest &test) {
  llvm::StringRef name = test.test.name;
  return test.verdict == Verdict::New && test.test.framework == Framework::GoogleTest &&
         (name.starts_with("DISABLED_") || name.contains("/DISABLED_") ||
          name.contains(".DISABLED_"));
}

class Verifier {
public:
  explicit Verifier(const SelectionReport &selection) : selection_(selection) {
    for (std::size_t i = 0; i < selection.tests.size(); ++i) {
      const RecordedTest &test = selection.tests[i].test;
      for (const std::string &entry : test.entries)
        byEntry_[entry].push_back(i);
      if (test.binary.empty() && test.entries.empty())
        byEntry_[test.name].push_back(i);
      for (ReportDialect dialect : {ReportDialect::GoogleTest, ReportDialect::Names,
                                    ReportDialect::BoostTest, ReportDialect::Retest})
        if (speaks(dialect, test))
          byName_[{dialect, keyOf(dialect, test)}].push_back(i);
    }
  }

  void add(const NamedExecution &execution) {
    std::set<Tests> inSections; // one case, however many sections of it are told
    for (const ExecutedTest &test : execution.report.tests) {
      if (execution.report.dialect == ReportDialect::CTest) {
        addEntry(test.name);
        continue;
      }
      bool isWhole = true;
      Tests meant = testsOf(execution, test, isWhole);
      if (meant.empty())
        unknown_.insert(test.name);
      else if (meant.size() == 1)
        executed_.insert(meant.front());
      else if (isWhole || inSections.insert(meant).second)
        ++timesSeen_[meant];
    }
  }

  Verification finish() {
    std::set<std::size_t> ambiguous;
    for (const auto &[tests, times] : timesSeen_) {
      std::set<std::size_t> &place = times >= tests.size() ? executed_ : ambiguous;
      place.insert(tests.begin(), tests.end());
    }
    Verification result;
    for (std::size_t i = 0; i < selection_.tests.size(); ++i) {
      bool isExecuted = executed_.count(i) != 0;
      if (!isSelected(selection_.tests[i])) {
        if (isExecuted)
          result.extra.push_back(i);
      } else if (isExecuted) {
        ++result.executed;
      } else if (!isBornDisabled(selection_.tests[i])) {
        result.missing.push_back(i);
        if (ambiguous.count(i) != 0)
          result.ambiguous.push_back(i);
      }
    }
    result.unknown.assign(unknown_.begin(), unknown_.end());
    return result;
  }

private:
  /// Meson may write "project:suite / " before it.
  void addEntry(const std::string &name) {
    auto tests = byEntry_.find(name);
    if (tests == byEntry_.end())
      tests = byEntry_.find(llvm::StringRef(name).split(" / ").second.str());
    if (tests == byEntry_.end())
      unknown_.insert(name);
    else
      executed_.insert(tests->second.begin(), tests->second.end());
  }

  /// The tests that the report may mean. `case/section` is the case with the longest name.
  Tests testsOf(const NamedExecution &execution, const ExecutedTest &test, bool &isWhole) const {
    Tests exact = testsNamed(execution, test.name, test.suite);
    if (!exact.empty() || execution.report.dialect != ReportDialect::Names)
      return exact;
    isWhole = false;
    for (llvm::StringRef name = test.name; name.contains('/');) {
      name = name.rsplit('/').first;
      Tests outer = testsNamed(execution, name.trim(), test.suite);
      if (!outer.empty())
        return outer;
    }
    return {};
  }

  Tests testsNamed(const NamedExecution &execution, llvm::StringRef name,
                   const std::optional<std::string> &suite) const {
    auto known = byName_.find({execution.report.dialect, name.str()});
    if (known == byName_.end())
      return {};
    Tests tests = known->second;
    llvm::erase_if(tests, [&](std::size_t i) {
      const RecordedTest &test = selection_.tests[i].test;
      if (execution.report.dialect == ReportDialect::Retest)
        return junitSuiteOf(test) != *suite || !namesBinary(execution.binary, test.binary);
      bool isOther = suite && test.framework == Framework::Doctest && test.suite != *suite &&
                     selection_.tests[i].verdict != Verdict::New; // whose suite is not known
      return isOther || !namesBinary(execution.binary, test.binary);
    });
    // One entry of CTest may ask for a test that another leaves asleep.
    auto isAsleep = [&](std::size_t i) { return selection_.tests[i].verdict == Verdict::Disabled; };
    if (!llvm::all_of(tests, isAsleep))
      llvm::erase_if(tests, isAsleep);
    return tests;
  }

  const SelectionReport &selection_;
  std::map<std::string, Tests> byEntry_;
  std::map<std::pair<ReportDialect, std::string>, Tests> byName_;
  std::set<std::size_t> executed_;
  std::map<Tests, std::size_t> timesSeen_; ///< of names that several tests have
  std::set<std::string> unknown_;
};

} // namespace

Verification verifyExecution(const SelectionReport &selection,
                             llvm::ArrayRef<NamedExecution> executions) {
  Verifier verifier(selection);
  for (const NamedExecution &execution : executions)
    verifier.add(execution);
  return verifier.finish();
}

} // namespace retest
