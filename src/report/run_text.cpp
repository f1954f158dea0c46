#include "report/run_text.h"

#include "report/text_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>

#include <map>

namespace retest {

namespace {

constexpr const char *kRed = "1;31";
constexpr const char *kYellow = "1;33";
constexpr const char *kGreen = "1;32";

const char *markFor(TestStatus status) {
  switch (status) {
  case TestStatus::Passed:
    return "PASS";
  case TestStatus::Failed:
    return "FAIL";
  case TestStatus::TimedOut:
    return "TIMEOUT";
  case TestStatus::Crashed:
    return "CRASH";
  case TestStatus::Skipped:
  case TestStatus::Disabled:
    return "SKIP";
  case TestStatus::NotRun:
    return "ERROR";
  }
  return "";
}

/// What a test wrote, for a terminal: it may hold anything, also a code that clears the screen.
void writeOutput(llvm::raw_ostream &out, llvm::StringRef text) {
  std::string valid = llvm::json::fixUTF8(text);
  llvm::StringRef rest = llvm::StringRef(valid).rtrim('\n');
  if (rest.empty()) {
    out << "    (it wrote nothing)\n";
    return;
  }
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    out << "    ";
    for (char c : line.rtrim('\r'))
      if (auto byte = static_cast<unsigned char>(c); byte >= 0x20 && byte != 0x7F)
        out << c;
      else if (c == '\t')
        out << c;
      else
        out << '?';
    out << '\n';
    rest = after;
  }
}

} // namespace

RunCounts countResults(llvm::ArrayRef<TestResult> results) {
  RunCounts counts;
  std::map<std::string, std::size_t> notRun;
  for (const TestResult &result : results) {
    bool isDisabled = result.attempts.empty() ? result.test.status == TestStatus::Disabled
                                              : outcomeOf(result) == TestStatus::Disabled;
    if (isDisabled) {
      ++counts.disabled;
      continue;
    }
    ++counts.total;
    if (result.attempts.empty()) {
      ++notRun[result.whyNot];
      continue;
    }
    ++counts.ran;
    counts.flaky += isFlaky(result);
    if (result.isQuarantined && isFailure(outcomeOf(result))) {
      ++counts.quarantined;
      continue;
    }
    switch (outcomeOf(result)) {
    case TestStatus::Passed:
      ++counts.passed;
      break;
    case TestStatus::Failed:
      ++counts.failed;
      break;
    case TestStatus::TimedOut:
      ++counts.timedOut;
      break;
    case TestStatus::Crashed:
      ++counts.crashed;
      break;
    case TestStatus::NotRun:
      ++counts.notStarted;
      break;
    case TestStatus::Skipped:
    case TestStatus::Disabled:
      ++counts.skipped;
      break;
    }
  }
  counts.notRun.assign(notRun.begin(), notRun.end());
  llvm::sort(counts.notRun, [](const auto &a, const auto &b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first); // most first
  });
  return counts;
}

std::string runSummary(const RunCounts &counts, std::chrono::milliseconds wall) {
  std::string text = fmt::format("{} of {} {} run in {:.2f} s", counts.ran, counts.total,
                                 counts.total == 1 ? "test" : "tests",
                                 std::chrono::duration<double>(wall).count());
  std::vector<std::string> parts;
  auto add = [&](std::size_t count, const char *word) {
    if (count != 0)
      parts.push_back(fmt::format("{} {}", count, word));
  };
  add(counts.passed, "passed");
  if (counts.flaky != 0 && !parts.empty())
    parts.back() += fmt::format(" ({} flaky)", counts.flaky);
  add(counts.failed, "failed");
  add(counts.timedOut, "timed out");
  add(counts.crashed, "crashed");
  add(counts.notStarted, "could not run");
  add(counts.skipped, "skipped");
  add(counts.quarantined, "failed in quarantine");
  if (!parts.empty())
    text += fmt::format(": {}", fmt::join(parts, ", "));
  std::size_t left = counts.total - counts.ran;
  if (left != 0) {
    std::vector<std::string> why;
    for (const auto &[reason, count] : counts.notRun)
      why.push_back(counts.notRun.size() == 1 ? reason : fmt::format("{} {}", count, reason));
    text += fmt::format("; {} not run ({})", left, fmt::join(why, ", "));
  }
  if (counts.disabled != 0)
    text += fmt::format("; {} disabled", counts.disabled);
  return text;
}

std::string outcomeLine(const RecordedTest &test, const TestAttempt &attempt, bool colour) {
  const char *code = attempt.status == TestStatus::Passed ? kGreen
                     : isFailure(attempt.status)          ? kRed
                                                          : kYellow;
  std::string line = fmt::format(
      "{} {:8.3f} s  {}", coloured(colour, code, fmt::format("{:<7}", markFor(attempt.status))),
      std::chrono::duration<double>(attempt.duration).count(), oneLine(idOf(test)));
  if (!attempt.message.empty() && isFailure(attempt.status))
    line += "  " + oneLine(attempt.message);
  return line;
}

void writeFailures(llvm::raw_ostream &out, llvm::ArrayRef<TestResult> results, bool colour) {
  for (const TestResult &result : results) {
    if (result.attempts.empty() || (!isFailure(outcomeOf(result)) && !isFlaky(result)))
      continue;
    std::size_t number = 0;
    for (const TestAttempt &attempt : result.attempts) {
      ++number;
      if (!isFailure(attempt.status))
        continue;
      out << outcomeLine(result.test, attempt, colour);
      if (result.attempts.size() > 1)
        out << fmt::format("  (attempt {} of {}{})", number, result.attempts.size(),
                           isFlaky(result) ? ", flaky" : "");
      out << '\n';
      writeOutput(out, attempt.output);
    }
  }
}

} // namespace retest
