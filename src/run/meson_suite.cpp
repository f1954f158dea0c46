#include "run/meson_suite.h"

#include "support/error.h"
#include "support/file_state.h"
#include "support/process.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <cmath>

namespace retest {
namespace {

/// Prints all tests. `env` lists what is done to variables, in order: [operation, name, value,
/// separator].
constexpr char kQuestion[] = R"(
def answer():
    import json, pickle, sys
    from mesonbuild import build
    directory = sys.argv[1]
    with open(directory + '/meson-private/meson_test_setup.dat', 'rb') as file:
        tests = pickle.load(file)
    whole = build.load(directory)
    setup = whole.test_setups.get(whole.test_setup_default_name or '')
    def operations(env):
        for method, name, values, separator in env.envvars if env else []:
            yield [method.__name__.strip('_'), name, separator.join(values), separator]
        for name in getattr(env, 'unset_vars', []):
            yield ['unset', name, '', '']
    def wrapper(test):
        found = getattr(test, 'exe_wrapper', None)
        return list(found.get_command()) if test.needs_exe_wrapper and found else []
    print(json.dumps([{
        'name': test.name, 'command': wrapper(test) + list(test.fname) + list(test.cmd_args),
        'env': [*operations(setup and setup.env), *operations(test.env)],
        'timeout': (test.timeout or 0) * (setup.timeout_multiplier if setup else 1),
        'workdir': test.workdir, 'suite': test.suite, 'is_parallel': bool(test.is_parallel),
        'should_fail': bool(test.should_fail), 'protocol': str(test.protocol),
        'wrapper': list(setup.exe_wrapper) if setup and setup.exe_wrapper else [],
    } for test in tests]))
answer()
)";

constexpr int kSkipped = 77, kError = 99; // GNU's numbers, which Meson takes in all protocols

std::vector<std::string> strings(const llvm::json::Object &test, llvm::StringRef key) {
  std::vector<std::string> result;
  if (const llvm::json::Array *array = test.getArray(key))
    for (const llvm::json::Value &each : *array)
      result.push_back(each.getAsString().value_or("").str());
  return result;
}

/// As CTest would write it; nothing if there is no such operation.
std::optional<std::string> modification(llvm::ArrayRef<std::string> operation) {
  if (operation.size() != 4)
    return std::nullopt;
  const auto &[what, name, value, separator] =
      std::tie(operation[0], operation[1], operation[2], operation[3]);
  if (what == "set" || what == "unset")
    return fmt::format("{}={}:{}", name, what, value);
  if ((what == "prepend" || what == "append") && separator == ":")
    return fmt::format("{}=path_list_{}:{}", name, what, value);
  if ((what == "prepend" || what == "append") && separator == ";")
    return fmt::format("{}=cmake_list_{}:{}", name, what, value);
  return std::nullopt;
}

void readEnvironment(const llvm::json::Object &test, SuiteEntry &entry) {
  entry.environment = {"MESON_TEST_ITERATION=1"};
  const llvm::json::Array *operations = test.getArray("env");
  for (const llvm::json::Value &each : operations ? *operations : llvm::json::Array()) {
    std::vector<std::string> words;
    if (const llvm::json::Array *list = each.getAsArray())
      for (const llvm::json::Value &word : *list)
        words.push_back(word.getAsString().value_or("").str());
    if (auto known = modification(words))
      entry.environmentModifications.push_back(*known);
    else
      entry.unknownProperties.push_back(fmt::format("env: {}", llvm::join(words, " ")));
  }
}

void readOutcome(llvm::StringRef protocol, SuiteEntry &entry) {
  entry.skipReturnCode = kSkipped;
  entry.errorReturnCode = kError;
  entry.mayCrashToFail = true;
  if (protocol == "tap") {
    // But for what is still to be done, or was skipped.
    entry.failExpressions = {"(^|\n)not ok[^#\n]*(\n|$)",
                             "(^|\n)not ok[^\n]*# *([^TtSs \n]|[Tt][^Oo]|[Ss][^Kk])",
                             "(^|\n)Bail out!"};
    entry.skipExpressions = {"(^|\n)1\\.\\.0[^\n]*# *[Ss][Kk][Ii][Pp]"};
  } else if (protocol != "exitcode" && protocol != "gtest") {
    entry.unknownProperties.push_back("protocol: " + protocol.str());
  }
}

SuiteEntry entryOf(const llvm::json::Object &test, const std::string &buildDirectory) {
  SuiteEntry entry;
  entry.name = test.getString("name").value_or("").str();
  entry.command = strings(test, "command");
  entry.directory = test.getString("workdir").value_or(buildDirectory).str();
  if (double seconds = test.getNumber("timeout").value_or(0); seconds > 0)
    entry.timeout = std::chrono::milliseconds(std::llround(seconds * 1000));
  entry.runsAlone = !test.getBoolean("is_parallel").value_or(true);
  entry.labels = strings(test, "suite");
  entry.willFail = test.getBoolean("should_fail").value_or(false);
  readEnvironment(test, entry);
  readOutcome(test.getString("protocol").value_or("exitcode"), entry);
  if (std::vector<std::string> wrapper = strings(test, "wrapper"); !wrapper.empty())
    entry.unknownProperties.push_back("exe_wrapper: " + llvm::join(wrapper, " "));
  llvm::sort(entry.unknownProperties);
  return entry;
}

/// What tells that Meson has configured again.
std::string versionOf(const std::string &buildDirectory) {
  std::string text;
  for (const char *name : {"meson_test_setup.dat", "build.dat"})
    if (auto stamp = stampOf(buildDirectory + "/meson-private/" + name))
      text += fmt::format("{} {} {} ", name, stamp->modified, stamp->size);
  return text;
}

std::optional<std::string> keptAnswer(const std::string &path, const std::string &version) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return std::nullopt;
  auto [first, rest] = (*file)->getBuffer().split('\n');
  if (first != version)
    return std::nullopt;
  return rest.str();
}

void keepAnswer(const std::string &path, const std::string &version, llvm::StringRef answer) {
  std::error_code failed; // then Meson is asked once more
  llvm::raw_fd_ostream file(path, failed);
  if (!failed)
    file << version << '\n' << answer;
  file.clear_error();
}

} // namespace

llvm::Expected<std::vector<SuiteEntry>> parseMesonSuite(llvm::StringRef json,
                                                        const std::string &buildDirectory) {
  auto tests = llvm::json::parse(json);
  if (!tests)
    return tests.takeError();
  const llvm::json::Array *list = tests->getAsArray();
  if (!list)
    return error("{}: Meson's answer about its tests is not a list", buildDirectory);
  std::vector<SuiteEntry> entries;
  for (const llvm::json::Value &test : *list) {
    const llvm::json::Object *object = test.getAsObject();
    if (!object)
      return error("{}: Meson's answer about its tests has something else in it", buildDirectory);
    entries.push_back(entryOf(*object, buildDirectory));
  }
  return entries;
}

llvm::Expected<std::vector<SuiteEntry>> readMesonSuite(const std::string &buildDirectory,
                                                       const std::string &stateDirectory) {
  const std::string path = stateDirectory + "/meson-tests.json";
  const std::string version = versionOf(buildDirectory);
  if (auto kept = keptAnswer(path, version)) {
    auto entries = parseMesonSuite(*kept, buildDirectory);
    if (entries)
      return entries;
    llvm::consumeError(entries.takeError()); // somebody was killed while he wrote it
  }
  llvm::Expected<ProcessResult> answer =
      runProcess({.arguments = {"meson", "runpython", "-c", kQuestion, buildDirectory}});
  if (!answer)
    return answer.takeError();
  if (!answer->succeeded())
    return error("{}: Meson does not tell its tests: {}", buildDirectory,
                 llvm::StringRef(answer->errors).trim().str());
  keepAnswer(path, version, answer->output);
  return parseMesonSuite(answer->output, buildDirectory);
}

} // namespace retest
