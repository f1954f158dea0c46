#include "run/list_tests.h"

#include "run/end_strays.h"
#include "run/read_test_list.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <cassert>
#include <tuple>
#include <unistd.h>

namespace retest {

namespace {

using Tests = llvm::Expected<std::vector<NativeTest>>;

/// By which processes are known that were asked for their tests, or come from such.
constexpr char kMark[] = "RETEST_LISTS_FOR";

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
                                         llvm::ArrayRef<std::string> arguments) {
  llvm::append_range(command.arguments, arguments);
  // A program that is built for coverage would leave a profile where it runs.
  command.environment.emplace_back("LLVM_PROFILE_FILE", "/dev/null");
  command.environment.emplace_back(kMark, fmt::format("{}.", getpid()));
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
  auto remove =
      llvm::make_scope_exit([&] { std::ignore = llvm::sys::fs::remove_directories(directory); });
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

/// Catch2 lists what a run without a filter would run; with `*`, hidden tests too. What only the
/// second list has is hidden.
template <class List> Tests withHidden(List list) {
  Tests usual = list({});
  if (!usual)
    return usual;
  Tests all = list({"*"});
  if (!all)
    return all;
  llvm::sort(*usual);
  for (NativeTest &test : *all)
    test.isDisabled = !std::binary_search(usual->begin(), usual->end(), test);
  return all;
}

/// Version 2 ends with the number of tests, as far as an exit code can hold it.
Tests listCatch2Version2(const ProcessCommand &program, const ProcessResult &result) {
  Tests tests = readCatch2Names(result.output);
  if (tests && static_cast<int>(std::min<std::size_t>(tests->size(), 255)) != result.exitCode)
    tests = error("its exit code is not the number of tests in its list, {}", tests->size());
  return orSaying(std::move(tests), program, result);
}

Tests listCatch2(const ProcessCommand &program, std::vector<std::string> specification) {
  auto run = [&](std::vector<std::string> arguments) {
    llvm::append_range(arguments, specification);
    return runListing(program, arguments);
  };
  auto names = run({"--list-test-names-only", "--verbosity", "high"});
  if (!names)
    return names.takeError();
  // Version 3 does not know that option; version 2 has no list in XML, it would write text.
  // Its exit code for that is 255 or 1, which may be a number of tests too.
  bool isVersion3 = llvm::StringRef(names->errors).contains("--list-test-names-only");
  if (!isVersion3)
    return listCatch2Version2(program, *names);
  auto list = run({"--list-tests", "--reporter", "xml"});
  if (!list)
    return list.takeError();
  return orSaying(readCatch2List(list->output), program, *list);
}

/// The list goes to standard error; a program may have turned its streams round.
Tests listBoostTest(const ProcessCommand &program) {
  auto result = runListing(program, {"--list_content=DOT"});
  if (!result)
    return result.takeError();
  bool isInOutput = llvm::StringRef(result->output).contains("digraph G {");
  return orSaying(readBoostTestList(isInOutput ? result->output : result->errors), program,
                  *result);
}

} // namespace

void endListings() { endStartedWith(fmt::format("{}={}.", kMark, getpid())); }

Tests listTests(Framework framework, const ProcessCommand &program) {
  assert(!program.arguments.empty() && "a command names its program");
  Tests tests = [&]() -> Tests {
    switch (framework) {
    case Framework::GoogleTest:
      return listGoogleTest(program);
    case Framework::Doctest:
      return listDoctest(program);
    case Framework::Catch2:
      return withHidden([&](std::vector<std::string> specification) {
        return listCatch2(program, std::move(specification));
      });
    case Framework::BoostTest:
      return listBoostTest(program);
    }
    llvm_unreachable("each framework has its list");
  }();
  if (tests)
    llvm::sort(*tests);
  return tests;
}

} // namespace retest
