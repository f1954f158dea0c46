#include "run/ctest_suite.h"

#include "run/unbuilt_commands.h"

#include "tests/run/suite/ctest_project.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;
using std::chrono::milliseconds;

TEST_CASE("a suite of CTest: all that its entries say") {
  CTestProject project(R"(
include(CTest)
add_test(NAME all COMMAND /bin/echo "x;y" z WORKING_DIRECTORY /tmp)
set_tests_properties(all PROPERTIES
  ENVIRONMENT "A=1;B" ENVIRONMENT_MODIFICATION "A=set:3" TIMEOUT 3.5 WILL_FAIL ON
  PASS_REGULAR_EXPRESSION "a.*b;c\\;d" FAIL_REGULAR_EXPRESSION x SKIP_REGULAR_EXPRESSION y
  SKIP_RETURN_CODE 77 RESOURCE_LOCK "l;m" RUN_SERIAL ON PROCESSORS 4 DEPENDS "plain;z"
  FIXTURES_SETUP f FIXTURES_REQUIRED "g;h" FIXTURES_CLEANUP i LABELS "k" COST 3 DISABLED ON
  REQUIRED_FILES /etc/passwd TIMEOUT_AFTER_MATCH "5;ready" PROCESSOR_AFFINITY ON
  RESOURCE_GROUPS "2,gpus:1")
add_test(NAME plain COMMAND no-such-program-here)
add_test(NAME "for ever [x]" COMMAND /bin/true)
set_tests_properties("for ever [x]" PROPERTIES TIMEOUT 0)
)");
  std::vector<SuiteEntry> entries = project.entries();
  REQUIRE(entries.size() == 3);
  SuiteEntry all{"all"};
  all.command = {"/bin/echo", "x;y", "z"};
  all.directory = "/tmp";
  all.environment = {"A=1", "B"};
  all.environmentModifications = {"A=set:3"};
  all.timeout = milliseconds(3500);
  all.timeoutAfterMatch = TimeoutAfterMatch{milliseconds(5000), {"ready"}};
  all.willFail = all.isDisabled = all.runsAlone = true;
  all.passExpressions = {"a.*b", "c;d"};
  all.failExpressions = {"x"};
  all.skipExpressions = {"y"};
  all.skipReturnCode = 77;
  all.requiredFiles = {"/etc/passwd"};
  all.processors = 4;
  all.resourceLocks = {"l", "m"};
  all.depends = {"plain", "z"};
  all.fixturesSetup = {"f"};
  all.fixturesRequired = {"g", "h"};
  all.fixturesCleanup = {"i"};
  all.labels = {"k"};
  all.unknownProperties = {"PROCESSOR_AFFINITY", "RESOURCE_GROUPS"};
  CHECK(entries[0] == all);
  CHECK(entries[1].command.empty()); // CTest does not find it
  CHECK(entries[1].timeout == milliseconds(1'500'000));
  CHECK(entries[1].directory == project.build());
  CHECK(entries[2].name == "for ever [x]");
  CHECK(entries[2].timeout == std::nullopt);
}

TEST_CASE("a suite of CTest: how long a test may run") {
  const char *test = "add_test(NAME a COMMAND /bin/true)\n";
  CHECK(CTestProject(test).entries()[0].timeout == std::nullopt);
  CHECK(CTestProject("set(DART_TESTING_TIMEOUT 7 CACHE STRING x)\ninclude(CTest)\n" +
                     std::string(test))
            .entries()[0]
            .timeout == milliseconds(7000));
}

TEST_CASE("a suite of CTest: a configuration of its own") {
  CTestProject project("add_test(NAME a COMMAND /bin/true CONFIGURATIONS Debug)\n");
  CHECK(project.entries().empty());
  CHECK(llvm::cantFail(readCTestSuite(project.build(), "Debug")).size() == 1);
}

TEST_CASE("a directory without tests, and none at all") {
  TemporaryDirectory directory;
  CHECK(llvm::cantFail(readCTestSuite(directory.path())).empty());
  auto absent = readCTestSuite(directory / "absent");
  REQUIRE(!absent);
  CHECK(llvm::toString(absent.takeError()).find("no such directory") != std::string::npos);
}

TEST_CASE("an answer of CTest that is cut or something else is an error") {
  std::string whole = R"({"kind": "ctestInfo", "tests": [{"name": "a", "command": ["b"],
    "properties": [{"name": "TIMEOUT", "value": "x"}, {"name": "NEW", "value": 1}, 3]}]})";
  auto entries = llvm::cantFail(parseCTestSuite("CMake Warning\n" + whole, std::nullopt));
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].unknownProperties == std::vector<std::string>{"NEW"});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    auto cut = parseCTestSuite(llvm::StringRef(whole).take_front(size), std::nullopt);
    CHECK(!cut);
    llvm::consumeError(cut.takeError());
  }
  for (const char *json : {"[]", "{}", R"({"kind": "ctestInfo", "tests": [1]})"}) {
    auto bad = parseCTestSuite(json, std::nullopt);
    CHECK(!bad);
    llvm::consumeError(bad.takeError());
  }
}

TEST_CASE("the environment of an entry is the one that CTest makes") {
  CTestProject project(R"(
add_test(NAME env COMMAND env)
set_tests_properties(env PROPERTIES ENVIRONMENT "HOME;B=2;B=3;C=a=b;D="
  ENVIRONMENT_MODIFICATION "B=string_append:x;B=path_list_append:y;Q=cmake_list_append:1;\
Q=cmake_list_prepend:2;L=string_prepend:u;Z=set:1;Z=unset:;PATH=path_list_append:/k;\
R=set:a;R=reset:;C=set:z;C=reset:;D=path_list_prepend:p:q;TERM=unset:")
)");
  auto result = runProcess({.arguments = {"ctest", "-V"}, .directory = project.build()});
  REQUIRE(bool(result));
  SuiteEntry entry = project.entries().at(0);
  EntryEnvironment environment = llvm::cantFail(environmentOf(entry));
  auto ours = runProcess(
      {.arguments = entry.command, .environment = environment.set, .removed = environment.removed});
  REQUIRE(bool(ours));
  std::string theirs;
  for (llvm::StringRef line : llvm::split(result->output, '\n'))
    if (line.consume_front("1: ") && line.contains('=') && !line.starts_with(" "))
      theirs += line.str() + "\n";
  auto sorted = [](llvm::StringRef text) {
    std::vector<std::string> lines;
    for (llvm::StringRef line : llvm::split(text, '\n'))
      if (!line.starts_with("CTEST_INTERACTIVE_DEBUG_MODE=")) // we may run under CTest ourselves
        lines.push_back(line.str());
    llvm::sort(lines);
    return lines;
  };
  CHECK(sorted(ours->output) == sorted(theirs));
}

TEST_CASE("a change of the environment that CTest does not know is an error") {
  for (const char *bad : {"A", "A=", "A=set", "A=add:1", "=x"}) {
    SuiteEntry entry{"e"};
    entry.environmentModifications = {bad};
    auto environment = environmentOf(entry);
    CHECK(!environment);
    llvm::consumeError(environment.takeError());
  }
}

TEST_CASE("programs without CTest are entries as well") {
  auto entries = entriesFor({"/a/b/test"});
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].name == "test");
  CHECK(entries[0].command == std::vector<std::string>{"/a/b/test"});
  CHECK(entries[0].directory == "/a/b");
}

TEST_CASE("settings of entries: by name, and the same wherever the project lies") {
  SuiteEntry here{"a", {"/a/x/build/t", "--data=/a/x/data"}, "/a/x/build"};
  SuiteEntry there{"a", {"/ci/b/t", "--data=/ci/s/data"}, "/ci/b"};
  CHECK(settingsOf(here) != settingsOf(there));
  std::vector<NamedDirectory> ours = {{"/a/x/build", "<build>"}, {"/a/x", "<root>"}};
  std::vector<NamedDirectory> theirs = {{"/ci/b", "<build>"}, {"/ci/s", "<root>"}};
  CHECK(settingsOf(here, ours) == settingsOf(there, theirs));

  SuiteEntry beside{"a", {"/a/x2/t"}}, besideThem{"a", {"/ci/s2/t"}};
  CHECK(settingsOf(beside, ours) != settingsOf(besideThem, theirs)); // in neither project

  SuiteEntry other{"b", {"/a/x/build/u"}};
  SuiteSettings both({here, other}, ours);
  CHECK(both.of({"a"}) == SuiteSettings({there}, theirs).of({"a"}));
  CHECK(both.of({"a"}) != both.of({"b"}));
  CHECK(both.of({"a", "b"}) != both.of({"a"}));
  CHECK(both.of({"a", "gone"}) == std::nullopt);
  other.name = "a"; // names of several directories may be the same
  CHECK(SuiteSettings({here, other}, ours).of({"a"}) != both.of({"a"}));
}

TEST_CASE("a suite of CTest: commands of programs that are not built") {
  CTestProject project(R"(
add_test(NAME there COMMAND /bin/true)
add_test(NAME "odd [x];" COMMAND /no/such/program "a;b" "" "c \"d\" [[e]] $f")
add_subdirectory(sub)
)",
                       {{"sub/CMakeLists.txt", "add_test(NAME there COMMAND /no/such/other)\n"}});
  std::vector<SuiteEntry> entries = project.entries();
  REQUIRE(entries.size() == 3);
  CHECK(entries[1].command.empty());
  addUnbuiltCommands(entries, project.build());
  using Command = std::vector<std::string>;
  auto commandOf = [&](const std::string &directory, const std::string &name) {
    for (const SuiteEntry &entry : entries)
      if (entry.name == name && llvm::StringRef(entry.directory).ends_with(directory))
        return entry.command;
    return Command();
  };
  CHECK(commandOf("build", "there") == Command{"/bin/true"});
  CHECK(commandOf("build", "odd [x];") ==
        Command{"/no/such/program", "a;b", "", "c \"d\" [[e]] $f"});
  CHECK(commandOf("sub", "there") == Command{"/no/such/other"});
}
