#include "run/meson_suite.h"

#include "support/error.h"
#include "support/process.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cmath>

namespace retest {
namespace {

/// Prints whether each test is meant to fail. What Meson keeps for `meson test` only it can read.
constexpr char kAskShouldFail[] = R"(
import json, pickle, sys
with open(sys.argv[1] + '/meson-private/meson_test_setup.dat', 'rb') as file:
    print(json.dumps([bool(test.should_fail) for test in pickle.load(file)]))
)";

constexpr int kSkipped = 77; // GNU's number, which Meson takes for "skipped" in all protocols

std::vector<std::string> strings(const llvm::json::Object &test, llvm::StringRef key) {
  std::vector<std::string> result;
  if (const llvm::json::Array *array = test.getArray(key))
    for (const llvm::json::Value &each : *array)
      result.push_back(each.getAsString().value_or("").str());
  return result;
}

void readOutcome(llvm::StringRef protocol, SuiteEntry &entry) {
  entry.skipReturnCode = kSkipped;
  if (protocol == "tap")
    entry.failExpressions = {"(^|\n)not ok", "(^|\n)Bail out!"};
  else if (protocol != "exitcode" && protocol != "gtest")
    entry.unknownProperties = {"protocol: " + protocol.str()};
}

SuiteEntry entryOf(const llvm::json::Object &test, const std::string &buildDirectory) {
  SuiteEntry entry;
  entry.name = test.getString("name").value_or("").str();
  entry.command = strings(test, "cmd");
  entry.directory = test.getString("workdir").value_or(buildDirectory).str();
  entry.environment = {"MESON_TEST_ITERATION=1"};
  if (const llvm::json::Object *environment = test.getObject("env"))
    for (const auto &[name, value] : *environment)
      entry.environment.push_back(name.str() + "=" + value.getAsString().value_or("").str());
  llvm::sort(entry.environment);
  if (double seconds = test.getNumber("timeout").value_or(0); seconds > 0)
    entry.timeout = std::chrono::milliseconds(std::llround(seconds * 1000));
  entry.runsAlone = !test.getBoolean("is_parallel").value_or(true);
  entry.labels = strings(test, "suite");
  readOutcome(test.getString("protocol").value_or("exitcode"), entry);
  return entry;
}

} // namespace

llvm::Expected<std::vector<SuiteEntry>> parseMesonSuite(llvm::StringRef description,
                                                        llvm::StringRef shouldFail,
                                                        const std::string &buildDirectory) {
  auto tests = llvm::json::parse(description);
  if (!tests)
    return tests.takeError();
  auto failing = llvm::json::parse(shouldFail);
  if (!failing)
    return failing.takeError();
  const llvm::json::Array *list = tests->getAsArray();
  const llvm::json::Array *flags = failing->getAsArray();
  if (!list || !flags || list->size() != flags->size())
    return error("{}: Meson's descriptions of its tests do not go together; configure it again",
                 buildDirectory);
  std::vector<SuiteEntry> entries;
  for (auto [test, isMeantToFail] : llvm::zip_equal(*list, *flags)) {
    const llvm::json::Object *object = test.getAsObject();
    if (!object)
      return error("{}: meson-info/intro-tests.json is not as Meson writes it", buildDirectory);
    entries.push_back(entryOf(*object, buildDirectory));
    entries.back().willFail = isMeantToFail.getAsBoolean().value_or(false);
  }
  return entries;
}

llvm::Expected<std::vector<SuiteEntry>> readMesonSuite(const std::string &buildDirectory) {
  const std::string path = buildDirectory + "/meson-info/intro-tests.json";
  auto description = llvm::MemoryBuffer::getFile(path);
  if (!description)
    return error("{}: cannot be read: {}", path, description.getError().message());
  llvm::Expected<ProcessResult> answer =
      runProcess({.arguments = {"meson", "runpython", "-c", kAskShouldFail, buildDirectory}});
  if (!answer)
    return answer.takeError();
  if (!answer->succeeded())
    return error("{}: Meson does not tell which tests are meant to fail: {}", buildDirectory,
                 llvm::StringRef(answer->errors).trim().str());
  return parseMesonSuite((*description)->getBuffer(), answer->output, buildDirectory);
}

} // namespace retest
