#include "cli/configured_tests.h"

#include "config/glob.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

namespace {

bool matchesTest(const ConfigPattern &pattern, const RecordedTest &test) {
  return matchesName(pattern.text, idOf(test)) || matchesName(pattern.text, test.name) ||
         llvm::any_of(test.entries,
                      [&](const std::string &entry) { return matchesName(pattern.text, entry); });
}

void warnIfNone(const ConfigPattern &pattern, llvm::ArrayRef<RecordedTest> tests,
                const Config &config, const char *key, Context &context) {
  if (llvm::none_of(tests, [&](const RecordedTest &test) { return matchesTest(pattern, test); }))
    context.warning(fmt::format("{}: '{}': no recorded test is called '{}'",
                                placeText(config.path, pattern.where), key, pattern.text));
}

/// Those for which it holds, but no disabled ones: what a project does not run is not asked for.
template <class Holds>
std::vector<TestId> testsFor(llvm::ArrayRef<RecordedTest> tests, Holds holds) {
  std::vector<TestId> found;
  for (std::uint32_t i = 0; i < tests.size(); ++i)
    if (tests[i].status != TestStatus::Disabled && holds(tests[i]))
      found.push_back({i});
  return found;
}

} // namespace

std::vector<TestId> testsMatching(llvm::ArrayRef<ConfigPattern> patterns,
                                  llvm::ArrayRef<RecordedTest> tests) {
  return testsFor(tests, [&](const RecordedTest &test) {
    return llvm::any_of(patterns,
                        [&](const ConfigPattern &pattern) { return matchesTest(pattern, test); });
  });
}

std::vector<TestId> alwaysTests(const Config &config, llvm::ArrayRef<RecordedTest> tests,
                                Context &context) {
  for (const ConfigPattern &pattern : config.always)
    warnIfNone(pattern, tests, config, "always", context);
  return testsMatching(config.always, tests);
}

std::vector<TriggeredTests>
triggeredTests(const Config &config, llvm::ArrayRef<RecordedTest> tests,
               const std::function<std::vector<std::string>()> &changedFiles, Context &context) {
  std::vector<TriggeredTests> triggered;
  if (config.triggers.empty())
    return triggered;
  const std::vector<std::string> changed = changedFiles();
  for (const Trigger &trigger : config.triggers) {
    for (const ConfigPattern &pattern : trigger.tests)
      warnIfNone(pattern, tests, config, "tests", context);
    auto file = llvm::find_if(changed, [&](const std::string &path) {
      return llvm::any_of(trigger.files, [&](const ConfigPattern &pattern) {
        return matchesPath(pattern.text, path);
      });
    });
    if (file == changed.end())
      continue;
    triggered.push_back({*file, placeText(config.path, trigger.where), trigger.reason,
                         trigger.tests.empty()
                             ? testsFor(tests, [](const RecordedTest &) { return true; })
                             : testsMatching(trigger.tests, tests)});
  }
  return triggered;
}

std::vector<TestId> quarantinedTests(const Config &config, std::chrono::year_month_day today,
                                     llvm::ArrayRef<RecordedTest> tests) {
  std::vector<ConfigPattern> patterns;
  for (const QuarantineEntry &entry : config.quarantine)
    if (entry.until >= today)
      patterns.push_back(entry.test);
  return testsMatching(patterns, tests);
}

void addQuarantine(const Config &config, std::chrono::year_month_day today, SelectionReport &report,
                   Context &context) {
  for (const QuarantineEntry &entry : config.quarantine) {
    if (entry.until < today) {
      reportError(
          error("{}: the quarantine of '{}' ended on {} and no longer holds; mend the test, "
                "or give it a new date",
                placeText(config.path, entry.test.where), entry.test.text, dateText(entry.until)),
          context.err);
      continue;
    }
    for (const ReportedTest &test : report.tests)
      if (matchesTest(entry.test, test.test))
        report.quarantined.push_back({idOf(test.test), dateText(entry.until), entry.reason});
  }
  llvm::sort(report.quarantined);
  report.quarantined.erase(std::unique(report.quarantined.begin(), report.quarantined.end(),
                                       [](const auto &a, const auto &b) { return a.id == b.id; }),
                           report.quarantined.end());
}

std::chrono::year_month_day today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

} // namespace retest
