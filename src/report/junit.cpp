#include "report/junit.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace {

std::string seconds(std::chrono::microseconds time) {
  return fmt::format("{:.6f}", std::chrono::duration<double>(time).count());
}

bool isSkipped(const TestResult &result) {
  TestStatus outcome = outcomeOf(result);
  return result.attempts.empty() || outcome == TestStatus::Skipped ||
         outcome == TestStatus::Disabled || (result.isQuarantined && isFailure(outcome));
}

/// How a report calls what went wrong.
struct Counts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  std::chrono::microseconds time{0};

  explicit Counts(llvm::ArrayRef<const TestResult *> results) {
    for (const TestResult *result : results) {
      ++tests;
      TestStatus outcome = outcomeOf(*result);
      skipped += isSkipped(*result);
      errors += !isSkipped(*result) && outcome == TestStatus::NotRun;
      failures += !isSkipped(*result) && isFailure(outcome) && outcome != TestStatus::NotRun;
      for (const TestAttempt &attempt : result->attempts)
        time += attempt.duration;
    }
  }

  std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{}")", tests,
                       failures, errors, skipped, seconds(time));
  }
};

class JunitWriter {
public:
  explicit JunitWriter(llvm::raw_ostream &out) : out_(out) {}

  void suite(const std::string &name, llvm::ArrayRef<const TestResult *> results) {
    out_ << fmt::format("  <testsuite name=\"{}\" {}>\n", xmlText(name, true),
                        Counts(results).attributes());
    for (const TestResult *result : results)
      testCase(*result);
    out_ << "  </testsuite>\n";
  }

private:
  void testCase(const TestResult &result) {
    const RecordedTest &test = result.test;
    std::chrono::microseconds time{0};
    if (!result.attempts.empty())
      time = result.attempts.back().duration;
    out_ << fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{}\"",
                        xmlText(junitSuiteOf(test), true), xmlText(test.name, true), seconds(time));
    if (!test.file.empty())
      out_ << fmt::format(" file=\"{}\"", xmlText(test.file, true));
    if (test.line != 0)
      out_ << fmt::format(" line=\"{}\"", test.line);
    out_ << ">\n";
    if (isSkipped(result))
      skipped(result);
    else if (isFailure(outcomeOf(result)))
      failed(result);
    else
      for (const TestAttempt &attempt : result.attempts)
        if (isFailure(attempt.status))
          attemptOf("flakyFailure", attempt);
    out_ << "    </testcase>\n";
  }

  void skipped(const TestResult &result) {
    std::string why = wordFor(outcomeOf(result)).str();
    if (result.attempts.empty())
      why = "retest: " + result.whyNot;
    else if (isFailure(outcomeOf(result)))
      why = "retest: " + why + ", in quarantine";
    out_ << fmt::format("      <skipped message=\"{}\"/>\n", xmlText(why, true));
  }

  void failed(const TestResult &result) {
    bool isFirst = true;
    for (const TestAttempt &attempt : result.attempts) {
      const char *element = attempt.status == TestStatus::NotRun ? "error" : "failure";
      attemptOf(isFirst ? element : "rerunFailure", attempt);
      isFirst = false;
    }
  }

  void attemptOf(const char *element, const TestAttempt &attempt) {
    std::string type = wordFor(attempt.status).str();
    out_ << fmt::format("      <{} type=\"{}\" message=\"{}\">{}</{}>\n", element, type,
                        xmlText(attempt.message.empty() ? type : attempt.message, true),
                        xmlText(attempt.output), element);
  }

  llvm::raw_ostream &out_;
};

/// Without the codes that colour text on a terminal: `ESC [ 3 1 m`.
std::string withoutColours(llvm::StringRef text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\033') {
      result += text[i];
      continue;
    }
    if (i + 1 >= text.size() || text[i + 1] != '[')
      continue;
    ++i;
    while (i + 1 < text.size() && (text[i + 1] < '@' || text[i + 1] > '~'))
      ++i;
    ++i;
  }
  return result;
}

} // namespace

std::string junitSuiteOf(const RecordedTest &test) {
  return test.binary.empty() ? "ctest" : llvm::sys::path::filename(test.binary).str();
}

TestStatus outcomeOf(const TestResult &result) {
  return result.attempts.empty() ? TestStatus::NotRun : result.attempts.back().status;
}

bool isFlaky(const TestResult &result) {
  return !result.attempts.empty() && !isFailure(outcomeOf(result)) &&
         llvm::any_of(result.attempts,
                      [](const TestAttempt &attempt) { return isFailure(attempt.status); });
}

llvm::StringRef wordFor(TestStatus status) {
  switch (status) {
  case TestStatus::Passed:
    return "passed";
  case TestStatus::Failed:
    return "failed";
  case TestStatus::TimedOut:
    return "timed out";
  case TestStatus::Crashed:
    return "crashed";
  case TestStatus::Skipped:
    return "skipped";
  case TestStatus::Disabled:
    return "disabled";
  case TestStatus::NotRun:
    return "could not run";
  }
  llvm_unreachable("all statuses are named");
}

std::string xmlText(llvm::StringRef text, bool isAttribute) {
  std::string valid = llvm::json::fixUTF8(withoutColours(text));
  std::string result;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    auto byte = static_cast<unsigned char>(valid[i]);
    // U+FFFE and U+FFFF are no characters.
    if (byte == 0xEF && llvm::StringRef(valid).substr(i).starts_with("\xEF\xBF") &&
        i + 2 < valid.size() && static_cast<unsigned char>(valid[i + 2]) >= 0xBE) {
      i += 2;
      continue;
    }
    bool isBlank = byte == '\n' || byte == '\r' || byte == '\t';
    if (byte == '&')
      result += "&amp;";
    else if (byte == '<')
      result += "&lt;";
    else if (byte == '>')
      result += "&gt;";
    else if (byte == '"')
      result += "&quot;";
    else if (byte == '\r' || (isBlank && isAttribute))
      result += fmt::format("&#{};", byte); // else a reader makes something else of it
    else if (byte >= 0x20 || isBlank)
      result += valid[i];
  }
  return result;
}

void writeJunit(llvm::raw_ostream &out, llvm::ArrayRef<TestResult> results, bool reportsSkipped) {
  std::vector<const TestResult *> shown;
  for (const TestResult &result : results)
    if (reportsSkipped || !result.attempts.empty())
      shown.push_back(&result);
  out << R"(<?xml version="1.0" encoding="UTF-8"?>)" << "\n";
  out << fmt::format("<testsuites name=\"retest\" {}>\n", Counts(shown).attributes());
  JunitWriter writer(out);
  llvm::ArrayRef<const TestResult *> rest = shown;
  while (!rest.empty()) {
    const std::string &binary = rest.front()->test.binary;
    auto same =
        rest.take_while([&](const TestResult *result) { return result->test.binary == binary; });
    writer.suite(junitSuiteOf(rest.front()->test), same);
    rest = rest.drop_front(same.size());
  }
  out << "</testsuites>\n";
}

} // namespace retest
