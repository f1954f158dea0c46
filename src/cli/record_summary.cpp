#include "cli/record_summary.h"

#include <fmt/ranges.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <map>

namespace retest {

namespace {

constexpr std::size_t kMostNames = 10;

/// Names, a line each; a long list is cut, unless the user wants to see all.
void printNames(const std::vector<std::string> &names, Context &context) {
  std::size_t shown = context.options.isVerbose ? names.size() : std::min(names.size(), kMostNames);
  for (std::size_t i = 0; i < shown; ++i)
    context.out << "    " << names[i] << "\n";
  if (shown < names.size())
    context.out << fmt::format("    and {} more (-v shows all)\n", names.size() - shown);
}

std::string percent(const EdgeCounts &counts) {
  if (counts.edges == 0)
    return "-";
  return fmt::format("{:.1f} %", 100.0 * counts.exact / counts.edges);
}

void printOutcomes(const std::vector<RecordedTest> &tests, Context &context) {
  std::map<TestStatus, std::size_t> counts;
  std::vector<std::string> failing;
  for (const RecordedTest &test : tests) {
    ++counts[test.status];
    if (test.status == TestStatus::Failed || test.status == TestStatus::TimedOut ||
        test.status == TestStatus::Crashed || test.status == TestStatus::NotRun)
      failing.push_back(idOf(test));
  }
  constexpr std::pair<TestStatus, const char *> kWords[] = {
      {TestStatus::Passed, "passed"},      {TestStatus::Failed, "failed"},
      {TestStatus::TimedOut, "timed out"}, {TestStatus::Crashed, "crashed"},
      {TestStatus::Skipped, "skipped"},    {TestStatus::Disabled, "disabled"},
      {TestStatus::NotRun, "not run"},
  };
  std::vector<std::string> parts;
  for (auto [status, word] : kWords)
    if (counts[status] != 0)
      parts.push_back(fmt::format("{} {}", counts[status], word));
  context.out << fmt::format("tests: {}: {}\n", tests.size(), fmt::join(parts, ", "));
  printNames(failing, context);
}

void printUnmeasured(const std::vector<RecordedTest> &tests, Context &context) {
  std::vector<std::string> unmeasured;
  for (const RecordedTest &test : tests)
    if (!test.unmeasured.empty() && test.status != TestStatus::Disabled)
      unmeasured.push_back(idOf(test) + ": " + test.unmeasured);
  if (unmeasured.empty())
    return;
  context.out << fmt::format("not measured, so always selected: {}\n", unmeasured.size());
  printNames(unmeasured, context);
}

void printIsolation(const RecordedSuite &suite, Context &context) {
  std::map<std::string, std::size_t> programs;
  for (const RecordedTest &test : suite.matrix.tests)
    if (!test.binary.empty())
      ++programs[test.binary];
  if (programs.empty())
    return;
  context.out << fmt::format("isolation: {} of {} {} forked for each test\n",
                             programs.size() - std::min(programs.size(), suite.unforked.size()),
                             programs.size(), programs.size() == 1 ? "program" : "programs");
  std::vector<std::string> others;
  for (const UnforkedProgram &program : suite.unforked)
    others.push_back(fmt::format("{}: one process per test: {}",
                                 llvm::sys::path::filename(program.program).str(), program.reason));
  for (const std::string &program : suite.uncompared)
    others.push_back(
        fmt::format("{}: forked, but there was no time to compare one of its tests with a "
                    "process of its own",
                    llvm::sys::path::filename(program).str()));
  printNames(others, context);
}

} // namespace

void printRecordSummary(const RecordedSuite &suite, const std::string &storePath,
                        Context &context) {
  const std::vector<RecordedTest> &tests = suite.matrix.tests;
  printOutcomes(tests, context);
  printUnmeasured(tests, context);
  if (!suite.filesUnknown.empty())
    context.warning("the files that tests use are not known: " + suite.filesUnknown);
  printIsolation(suite, context);
  if (!suite.unstable.empty()) {
    context.out << fmt::format("not the same each time: {}\n", suite.unstable.size());
    printNames(suite.unstable, context);
  }
  context.out << fmt::format("witnesses: exact for {} of branches and {} of calls\n",
                             percent(suite.witnesses.flow), percent(suite.witnesses.calls));
  if (suite.witnesses.inconsistencies != 0)
    context.detail(fmt::format("counts contradicted the graph of a function {} times: all of its "
                               "edges count as crossed",
                               suite.witnesses.inconsistencies));
  std::chrono::duration<double> inTests{0};
  for (const RecordedTest &test : tests)
    inTests += test.duration;
  std::chrono::duration<double> wall = suite.wall;
  context.out << fmt::format("time: {:.2f} s for tests that took {:.2f} s\n", wall.count(),
                             inTests.count());
  std::uint64_t size = 0;
  if (!llvm::sys::fs::file_size(storePath, size))
    context.out << fmt::format("store: {:.1f} MiB, {}\n", size / 1048576.0, storePath);
}

} // namespace retest
