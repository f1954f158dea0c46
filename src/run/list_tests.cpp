#include "run/list_tests.h"

#include "run/read_test_list.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cassert>

namespace retest {

namespace {

using Tests = llvm::Expected<std::vector<NativeTest>>;

/// What a program said, short enough for a message.
std::string saying(const ProcessResult &result) {
  llvm::StringRef text = llvm::StringRef(result.errors).trim();
  if (text.empty())
    text = llvm::StringRef(result.output).trim();
  if (text.empty())
    return fmt::format("it said nothing and ended with {}", result.exitCode);
  return fmt::format("it ended with {} and said: {}{}", result.exitCode, text.take_front(300).str(),
                     text.size() > 300 ? "..." : "");
}

llvm::Expected<ProcessResult> runListing(ProcessCommand command,
                                         std::initializer_list<std::string> arguments) {
  command.arguments.insert(command.arguments.end(), arguments);
  if (!command.timeout)
    command.timeout = std::chrono::seconds(60);
  auto result = runProcess(command);
  if (result && result->timedOut)
    return error("{}: did not list its tests within {} ms", command.arguments.front(),
                 command.timeout->count());
  return result;
}

/// `tests`, or an error that names the program and what it said.
Tests orSaying(Tests tests, const ProcessCommand &program, const ProcessResult &result) {
  if (tests)
    return tests;
  return error("{}: does not list its tests: {}; {}", program.arguments.front(),
               llvm::toString(tests.takeError()), saying(result));
}

Tests listGoogleTest(const ProcessCommand &program) {
  llvm::SmallString<128> directory;
  if (auto code = llvm::sys::fs::createUniqueDirectory("retest-list", directory))
    return error("no temporary directory: {}", code.message());
  auto remove = llvm::make_scope_exit([&] { llvm::sys::fs::remove_directories(directory); });
  std::string file = (directory + "/tests.json").str();
  auto result = runListing(program, {"--gtest_list_tests", "--gtest_output=json:" + file});
  if (!result)
    return result.takeError();
  auto text = llvm::MemoryBuffer::getFile(file);
  return orSaying(text ? readGoogleTestList((*text)->getBuffer()) : error("it writes no list"),
                  program, *result);
}

Tests listDoctest(const ProcessCommand &program) {
  auto result =
      runListing(program, {"--dt-list-test-cases", "--dt-reporters=xml", "--dt-no-skip=true"});
  if (!result)
    return result.takeError();
  return orSaying(readDoctestList(result->output), program, *result);
}

} // namespace

Tests listTests(Framework framework, const ProcessCommand &program) {
  assert(!program.arguments.empty() && "a command names its program");
  Tests tests = [&]() -> Tests {
    switch (framework) {
    case Framework::GoogleTest:
      return listGoogleTest(program);
    case Framework::Doctest:
      return listDoctest(program);
    case Framework::Catch2:
    case Framework::BoostTest:
      break;
    }
    return error("{}: its framework is not known yet", program.arguments.front());
  }();
  if (tests)
    llvm::sort(*tests);
  return tests;
}

} // namespace retest
