#include "run/find_tests.h"

#include "tests/run/suite/ctest_project.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>

using namespace retest;

namespace {

/// The tests of a program, or the plain ones, by their names; `-` before a disabled one.
std::string namesIn(const std::vector<FoundTest> &tests, const std::string &program) {
  std::vector<std::string> names;
  for (const FoundTest &test : tests)
    if (test.program == program)
      names.push_back((test.isDisabled ? "-" : "") + test.name);
  return llvm::join(names, "; ");
}

const FoundTest &named(const std::vector<FoundTest> &tests, const std::string &name) {
  auto found = llvm::find_if(tests, [&](const FoundTest &test) { return test.name == name; });
  REQUIRE_MESSAGE(found != tests.end(), name);
  return *found;
}

bool runs(const std::string &entry, const FoundTest &test) {
  return llvm::is_contained(test.entries, entry);
}

std::string addTest(const std::string &name, const std::string &arguments) {
  return "add_test(NAME " + name + " COMMAND " + arguments + ")\n";
}

std::string property(const std::string &name, const std::string &properties) {
  return "set_tests_properties(" + name + " PROPERTIES " + properties + ")\n";
}

const std::string kMain = GOOGLETEST_MAIN_PROGRAM, kGoogle = GOOGLETEST_PROGRAM;
const std::string kDoctest = DOCTEST_PROGRAM, kCatch2 = CATCH2_PROGRAM, kBoost = BOOST_PROGRAM;

} // namespace

TEST_CASE("tests of entries: whole programs are split") {
  CTestProject project(addTest("google", kGoogle) + addTest("doc", kDoctest) +
                       addTest("catch", kCatch2) + addTest("boost", kBoost));
  std::vector<FoundTest> tests = findTests(project.entries());
  auto count = [&](const std::string &program, bool isDisabled) {
    return llvm::count_if(tests, [&](const FoundTest &test) {
      return test.program == program && test.isDisabled == isDisabled;
    });
  };
  CHECK(count(kGoogle, false) + count(kGoogle, true) == 23);
  CHECK(count(kGoogle, true) == 6);
  CHECK(count(kDoctest, false) == 30);
  CHECK(count(kDoctest, true) == 1);
  CHECK(count(kCatch2, false) == 33);
  CHECK(count(kCatch2, true) == 2);
  CHECK(count(kBoost, false) == 31);
  CHECK(count(kBoost, true) == 2);
  CHECK(count("", false) == 0);
  const FoundTest &one = named(tests, "Plain.one");
  CHECK(one.arguments == std::vector<std::string>{kGoogle, "--gtest_filter=Plain.one"});
  CHECK(one.entries == std::vector<std::string>{"google"});
  CHECK(one.isFilterExact);
  // doctest's suites tell tests of one name apart.
  CHECK(named(tests, "same (first)").native.suite == "first");
  CHECK(named(tests, "same (First)").native.suite == "First");
  CHECK(named(tests, "plain ()").native.suite == "");
}

TEST_CASE("tests of entries: what CMake's own scripts make of each framework's tests") {
  auto script = [](const char *path, const std::string &program) {
    return "execute_process(COMMAND ${CMAKE_COMMAND} -D TEST_TARGET=x -D TEST_EXECUTABLE=" +
           program +
           " -D TEST_WORKING_DIR=${CMAKE_CURRENT_BINARY_DIR} -D TEST_LIST=l -D CTEST_FILE=" +
           "${CMAKE_CURRENT_BINARY_DIR}/tests.cmake -P " + path +
           ")\nset_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "
           "${CMAKE_CURRENT_BINARY_DIR}/tests.cmake)\n";
  };
  CTestProject google("include(GoogleTest)\nadd_executable(g IMPORTED)\n"
                      "set_target_properties(g PROPERTIES IMPORTED_LOCATION " +
                      kGoogle + ")\ngtest_discover_tests(g DISCOVERY_MODE PRE_TEST)\n");
  std::vector<FoundTest> tests = findTests(google.entries());
  // Its filter does not match the names with `-` and `:`.
  CHECK(llvm::count_if(tests, [](const FoundTest &test) { return !test.program.empty(); }) == 21);
  CHECK(llvm::count_if(tests, [](const FoundTest &test) { return test.program.empty(); }) == 2);
  CHECK(named(tests, "Plain.DISABLED_sleeps").isDisabled);
  CHECK(runs("First/Values.each/1", named(tests, "First/Values.each/0")));

  CTestProject doctest(script(DOCTEST_SCRIPT, kDoctest));
  tests = findTests(doctest.entries());
  CHECK(runs("a,b", named(tests, "a,b")));
  CHECK(runs("plain", named(tests, "Plain")));

  CTestProject catch2(script(CATCH2_SCRIPT, kCatch2));
  tests = findTests(catch2.entries());
  CHECK(runs("a,b", named(tests, "a,b")));
  CHECK(runs("[tag]", named(tests, "[tag]")));
  CHECK(runs("Two", named(tests, "two")));        // Catch2 does not look at case
  CHECK(runs("~tilde", named(tests, "asserts"))); // it says: all but tilde
  CHECK(!runs("a", named(tests, "a,b")));
}

TEST_CASE("tests of entries: filters choose what the program chooses") {
  CTestProject project(
      addTest("star", kGoogle + " --gtest_filter=Plain.o* --gtest_shuffle") +
      addTest("minus", kGoogle + " --gtest_filter=P*:Values*-*f* --gtest_color=no") +
      addTest("tag", kCatch2 + " [tag] -s") + addTest("hidden", kCatch2 + " hidden -r compact") +
      addTest("suite", kDoctest + " --test-suite=first --duration=true") +
      addTest("skip", kDoctest + " -tc=skipped -ns") +
      addTest("outer", kBoost + " --run_test=outer/inner -- --custom") +
      addTest("off", kBoost + " -t off"));
  std::vector<FoundTest> tests = findTests(project.entries());
  CHECK(namesIn(tests, kGoogle) ==
        "-Plain.DISABLED_sleeps; Plain.one [minus]; Plain.one [star]; Plain.oneMore [minus]; "
        "Plain.oneMore [star]; Plain.skips; PlainDeathTest.dies");
  CHECK(namesIn(tests, kCatch2) == "Two; hidden; plain; two");
  CHECK(named(tests, "hidden").native.isDisabled); // it is the entry that wakes it
  CHECK(named(tests, "off").native.isDisabled);
  CHECK(!named(tests, "plain").native.isDisabled);
  CHECK(namesIn(tests, kDoctest) == "plain; same (First); same (first); skipped");
  CHECK(namesIn(tests, kBoost) == "off; outer/inner/top");
  CHECK(named(tests, "outer/inner/top").arguments ==
        std::vector<std::string>{kBoost, "--run_test=outer/inner/top", "--", "--custom"});
}

TEST_CASE("tests of entries: same test, same settings is one; other settings are others") {
  CTestProject project(addTest("whole", kMain) +
                       addTest("one", kMain + " --gtest_filter=Plain.one") +
                       addTest("star", kMain + " --gtest_filter=*"));
  std::vector<FoundTest> tests = findTests(project.entries());
  REQUIRE(namesIn(tests, kMain) == "Plain.one");
  CHECK(tests[0].entries == std::vector<std::string>{"one", "star", "whole"});

  for (const char *other : {"ENVIRONMENT A=1", "WORKING_DIRECTORY /tmp", "TIMEOUT 5",
                            "RESOURCE_LOCK l", "DISABLED ON"}) {
    CAPTURE(other);
    CTestProject two(addTest("b", kMain) + addTest("a", kMain) + addTest("c", kMain) +
                     property("c", other));
    std::string dash = other[0] == 'D' ? "-" : "";
    CHECK(namesIn(findTests(two.entries()), kMain) ==
          (dash.empty() ? "Plain.one [a]; Plain.one [c]" : "Plain.one [a]; -Plain.one [c]"));
  }
}

TEST_CASE("tests of entries: what stays whole, and why") {
  const std::string filter = " --gtest_filter=Plain.one";
  CTestProject project(
      addTest("script", "/bin/sh -c true") + addTest("launcher", "/usr/bin/env " + kMain) +
      addTest("absent", "no-such-program") + addTest("list", kMain + " --gtest_list_tests") +
      addTest("fails", kGoogle) + property("fails", "WILL_FAIL ON") + addTest("passes", kCatch2) +
      property("passes", "PASS_REGULAR_EXPRESSION x") +
      addTest("none", kMain + " --gtest_filter=No.such") + addTest("shard", kMain) +
      property("shard", "ENVIRONMENT GTEST_TOTAL_SHARDS=2") +
      addTest("paths", kBoost + " --run_test=outer/*") + addTest("odd", kCatch2 + " --odd x") +
      addTest("single", kMain + filter) + property("single", "WILL_FAIL ON"));
  std::vector<FoundTest> tests = findTests(project.entries());
  CHECK(namesIn(tests, "") ==
        "absent; fails; launcher; list; none; odd; passes; paths; script; shard");
  CHECK(namesIn(tests, kMain) == "Plain.one");
  CHECK(named(tests, "script").note == "");
  CHECK(named(tests, "list").note == "its argument --gtest_list_tests may choose tests");
  CHECK(named(tests, "fails").note ==
        "it runs several tests, and its properties speak of all of them");
  CHECK(named(tests, "none").note == "its filter matches no test");
  CHECK(named(tests, "shard").note ==
        "its environment sets GTEST_TOTAL_SHARDS, which may choose tests");
  CHECK(named(tests, "odd").note == "its argument --odd may choose tests");
  CHECK(named(tests, "absent").arguments.empty());
}

TEST_CASE("tests of entries: who writes a report that somebody may need stays whole") {
  const std::string xml = " -r=xml --out=";
  CTestProject project(
      addTest("alone", kDoctest + xml + "alone.xml -tc=fails") +
          addTest("google", kMain + " --gtest_output=xml:google.xml") +
          addTest("named", kDoctest + xml + "named.xml") + addTest("cat", "cat sub/../named.xml") +
          addTest("scripted", kDoctest + xml + "scripted.xml") +
          addTest("script", "cmake -P ${CMAKE_SOURCE_DIR}/script.cmake") +
          addTest("needed", kDoctest + xml + "needed.xml") +
          addTest("environment", kMain + " --gtest_output=json:sub/environment.json") +
          addTest("awaited", kDoctest + xml + "awaited.xml") + addTest("after", "true") +
          addTest("setup", kDoctest + xml + "setup.xml") +
          addTest("away", kDoctest + xml + "/nowhere/away.xml") +
          addTest("nowhere", kCatch2 + " -r junit -o no/such/x.xml") +
          addTest("spoken", kDoctest + xml + "spoken.xml -tc=fails") +
          addTest("used", kDoctest + xml + "used.xml") +
          addTest("listed", kDoctest + xml + "more/listed.xml") +
          addTest("seen", kDoctest + xml + "seen.xml") +
          addTest("before", kDoctest + xml + "before.xml") +
          addTest("boost", kBoost + " --log_sink=boost.log") +
          property("after", "DEPENDS awaited") + property("setup", "FIXTURES_SETUP f") +
          property("spoken", "FAIL_REGULAR_EXPRESSION x") +
          property("cat", "REQUIRED_FILES \"needed.xml;boost.log\"") +
          property("script", "ENVIRONMENT FILE=/x/environment.json"),
      {{"script.cmake", "file(READ scripted.xml)"}});
  const std::string build = std::filesystem::canonical(project.build());
  FilesInUse files;
  files.watched = {build};
  files.uses = {{FileUseKind::Missing, build + "/used.xml"},
                {FileUseKind::Listed, build + "/more"},
                {FileUseKind::Written, build + "/alone.xml", {"alone"}}};
  files.reports = {build + "/seen.xml"};
  files.whole = {"before", "alone"};
  std::vector<FoundTest> tests = findTests(project.entries(), {}, files);
  CHECK(named(tests, "named").note == "another test may use its report " + build + "/named.xml");
  for (const char *name : {"scripted", "needed", "environment", "boost"}) {
    const std::string &note = named(tests, name).note;
    CAPTURE(note);
    CHECK(llvm::StringRef(note).starts_with("another test may use its report"));
  }
  for (const char *name : {"awaited", "setup"})
    CHECK(named(tests, name).note == "it writes a report, and other tests depend on it");
  CHECK(named(tests, "away").note == "it is not seen who reads its report /nowhere/away.xml");
  CHECK(named(tests, "nowhere").note == "its report " + build + "/no/such/x.xml cannot be written");
  CHECK(named(tests, "spoken").note ==
        "its report goes to a file, and its properties speak of its output");
  for (const char *name : {"used", "seen"})
    CHECK(named(tests, name).note == "a test uses its report " + build + "/" + name + ".xml");
  CHECK(named(tests, "listed").note == "a test uses its report " + build + "/more/listed.xml");
  CHECK(named(tests, "before").note == "it writes a report, and ran as a whole before");
  CHECK(namesIn(tests, kMain) == "Plain.one");
  CHECK(named(tests, "Plain.one").reports == std::vector<std::string>{build + "/google.xml"});
  CHECK(
      named(tests, "Plain.one").arguments ==
      std::vector<std::string>{kMain, "--gtest_output=xml:/dev/null", "--gtest_filter=Plain.one"});

  // Nobody else needs it, and it was not one test before.
  files.whole.clear();
  files.uses.back().entries.clear();
  tests = findTests(project.entries(), {}, files);
  CHECK(named(tests, "fails").reports ==
        std::vector<std::string>{build + "/alone.xml", build + "/before.xml"});
  CHECK(named(tests, "fails").arguments[1] == "-r=xml,console");
  files.uses.back().entries = {"alone", "cat"};
  CHECK(named(findTests(project.entries(), {}, files), "alone").note != "");
}

TEST_CASE("tests of entries: our own sharding does not hide tests") {
  setenv("GTEST_TOTAL_SHARDS", "2", 1);
  setenv("GTEST_SHARD_INDEX", "1", 1);
  setenv("GTEST_FILTER", "Nothing.*", 1);
  std::vector<FoundTest> tests = findTests(entriesFor({kMain}));
  unsetenv("GTEST_TOTAL_SHARDS");
  unsetenv("GTEST_SHARD_INDEX");
  unsetenv("GTEST_FILTER");
  CHECK(namesIn(tests, kMain) == "Plain.one");
}
