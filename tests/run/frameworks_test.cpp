// Real programs of each framework: every test of their lists, run alone by its filter.

#include "run/list_tests.h"
#include "run/single_test_filter.h"
#include "run/tests_run.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>

#include <filesystem>

using namespace retest;

namespace {

/// How a framework is made to tell the names of the tests that it runs.
struct Subject {
  Framework framework;
  const char *program;
  std::vector<std::string> telling;
  const char *before, *after; ///< what stands around a name
};

const Subject kGoogleTest = {Framework::GoogleTest, GOOGLETEST_PROGRAM, {}, "[ RUN      ] ", "\n"};
const Subject kDoctest = {
    Framework::Doctest, DOCTEST_PROGRAM, {"--dt-duration=true"}, " s: ", "\n"};
const Subject kCatch2 = {Framework::Catch2, CATCH2_PROGRAM, {"--durations", "yes"}, " s: ", "\n"};
const Subject kBoostTest = {Framework::BoostTest,
                            BOOST_PROGRAM,
                            {"--log_level=test_suite", "--color_output=no"},
                            "Entering test case \"",
                            "\"\n"};

std::vector<NativeTest> listed(const Subject &subject) {
  auto tests = listTests(subject.framework, {.arguments = {subject.program}});
  if (!tests)
    FAIL(llvm::toString(tests.takeError()));
  return *tests;
}

std::vector<std::string> namesRun(const Subject &subject, llvm::StringRef output) {
  std::vector<std::string> names;
  while (output.contains(subject.before)) {
    output = output.split(subject.before).second;
    names.push_back(output.split(subject.after).first.str());
  }
  return names;
}

/// Boost.Test shows the last part of a path.
std::string shownName(const Subject &subject, const NativeTest &test) {
  if (subject.framework != Framework::BoostTest || test.suite.empty())
    return test.name;
  return test.name.substr(test.suite.size() + 1);
}

/// Each test runs by its filter, alone if the filter says that it is exact.
void runEachAlone(const Subject &subject) {
  std::vector<NativeTest> tests = listed(subject);
  std::vector<TestFilter> filters = filtersFor(subject.framework, tests);
  REQUIRE(filters.size() == tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i) {
    ProcessCommand command{.arguments = {subject.program},
                           .environment = {{"LLVM_PROFILE_FILE", "/dev/null"}}};
    llvm::append_range(command.arguments, subject.telling);
    llvm::append_range(command.arguments, filters[i].arguments);
    CAPTURE(command.arguments.back());
    CAPTURE(tests[i].name);
    CAPTURE(tests[i].suite);
    auto result = runProcess(command);
    REQUIRE(bool(result));
    CAPTURE(result->output);
    CAPTURE(result->errors);
    std::vector<std::string> names = namesRun(subject, result->output);
    CHECK(llvm::is_contained(names, shownName(subject, tests[i])));
    CHECK(testsRun(subject.framework, result->output, result->errors) == names.size());
    CHECK((names.size() == 1) == filters[i].isExact);
    CHECK((filters[i].isExact || !filterFor(subject.framework, tests[i]).isExact));
  }
}

/// The test with a name, as the list has it, with its file as a bare name.
NativeTest named(const std::vector<NativeTest> &tests, llvm::StringRef name) {
  auto found = llvm::find_if(tests, [&](const NativeTest &test) { return test.name == name; });
  REQUIRE_MESSAGE(found != tests.end(), name.str());
  NativeTest test = *found;
  test.file = std::filesystem::path(test.file).filename();
  CHECK(test.line > 0);
  test.line = 0;
  return test;
}

/// Debian 12 has no version 3 of Catch2: this speaks as it does. `usual` and `hidden` are tests in
/// its list.
std::string catch2Version3(TemporaryDirectory &directory, const std::string &usual,
                           const std::string &hidden) {
  return directory.write("version3", "usual='" + usual + "' hidden='" + hidden + R"('
if [ "$1" != --list-tests ] || [ "$2" != --reporter ] || [ "$3" != xml ]; then
  echo "
Error(s) in input:
  Unrecognised token: $1

Run with -? for usage
" >&2
  exit 255
fi
[ "$4" = '*' ] || hidden=
echo 'hello
<?xml version="1.0" encoding="UTF-8"?>'
if [ -n "$usual$hidden" ]; then
  echo "<MatchingTests>
  $usual
  $hidden
</MatchingTests>"
else
  echo '<MatchingTests/>'
fi)");
}

} // namespace

TEST_CASE("GoogleTest: the list has every kind of test") {
  std::vector<NativeTest> tests = listed(kGoogleTest);
  const NativeTest expected[] = {
      {"Plain.one", "Plain"},
      {"Plain.DISABLED_sleeps", "Plain", {}, 0, true},
      {"DISABLED_Suite.sleeps", "DISABLED_Suite", {}, 0, true},
      {"PlainDeathTest.dies", "PlainDeathTest"},
      {"First/Values.each/0", "First/Values"},
      {"Named/Values.DISABLED_each/n2", "Named/Values", {}, 0, true},
      {"Types/2.each", "Types/2"},
      {"NamedTypes/a-b*c.each", "NamedTypes/a-b*c"},
      {"NamedTypes/a?b\"c\\d\xC3\xA9.each", "NamedTypes/a?b\"c\\d\xC3\xA9"},
      {"By hand.two words", "By hand"},
  };
  for (NativeTest test : expected) {
    CAPTURE(test.name);
    test.file = "googletest_program.cpp";
    CHECK(named(tests, test.name) == test);
  }
  CHECK(tests.size() == 23);
  CHECK(llvm::is_sorted(tests));
}

TEST_CASE("GoogleTest: each test runs alone") { runEachAlone(kGoogleTest); }

TEST_CASE("doctest: the list has every kind of test") {
  std::vector<NativeTest> tests = listed(kDoctest);
  const NativeTest expected[] = {
      {"Plain"},
      {""},
      {"skipped", {}, {}, 0, true},
      {"\"quoted\" & <tagged> 'too'"},
      {"ends in \\"},
      {"  blanks around  "},
      {"d\xC3\xA9j\xC3\xA0 vu"},
      {"typed<long>"},
  };
  for (NativeTest test : expected) {
    CAPTURE(test.name);
    test.file = "doctest_program.cpp";
    CHECK(named(tests, test.name) == test);
  }
  auto inSuite = [&](const char *suite) {
    return llvm::count_if(tests, [&](const NativeTest &test) { return test.suite == suite; });
  };
  CHECK(inSuite("first") == 2);
  CHECK(inSuite("second, with a comma") == 1);
  CHECK(tests.size() == 31);
}

TEST_CASE("doctest: each test runs alone") { runEachAlone(kDoctest); }

TEST_CASE("Catch2: the list has every kind of test") {
  std::vector<NativeTest> tests = listed(kCatch2);
  const NativeTest expected[] = {
      {"plain"},
      {"hidden", {}, {}, 0, true},
      {"hidden by a tag", {}, {}, 0, true},
      {"#hash"},
      {"tab\tand @at"},
      {"  blanks around  "},
      {"d\xC3\xA9j\xC3\xA0 vu"},
      {"typed - long"},
      {"Scenario: behaves"},
  };
  for (NativeTest test : expected) {
    CAPTURE(test.name);
    test.file = "catch2_program.cpp";
    CHECK(named(tests, test.name) == test);
  }
  CHECK(tests.size() == 35);
}

TEST_CASE("Catch2: each test runs alone") { runEachAlone(kCatch2); }

TEST_CASE("Catch2 of version 3: lists in XML") {
  constexpr const char *kUsual = R"(<TestCase>
    <Name>#a &lt; &quot;b&quot;</Name>
    <ClassName/>
    <Tags>[tag]</Tags>
    <SourceInfo>
      <File>dir/a.cpp</File>
      <Line>12</Line>
    </SourceInfo>
  </TestCase>)";
  constexpr const char *kHidden = "<TestCase><Name>hidden</Name><Tags>[.]</Tags></TestCase>";
  const NativeTest usual = {"#a < \"b\"", "", "dir/a.cpp", 12};
  const NativeTest hidden = {"hidden", "", "", 0, true};
  auto tests = [](const char *usual, const char *hidden) {
    TemporaryDirectory directory;
    auto list = listTests(Framework::Catch2,
                          {.arguments = {"/bin/sh", catch2Version3(directory, usual, hidden)}});
    if (!list)
      FAIL(llvm::toString(list.takeError()));
    return *list;
  };
  CHECK(tests(kUsual, kHidden) == std::vector<NativeTest>{usual, hidden});
  CHECK(tests("", kHidden) == std::vector<NativeTest>{hidden});
  CHECK(tests("", "") == std::vector<NativeTest>{});
}

TEST_CASE("Boost.Test: the list has every kind of test") {
  std::vector<NativeTest> tests = listed(kBoostTest);
  const NativeTest expected[] = {
      {"top"},
      {"off", {}, {}, 0, true},
      {"outer/top", "outer"},
      {"outer/labelled", "outer"},
      {"outer/inner/top", "outer/inner"},
      {"outer/data/_1", "outer/data"},
      {"outer/typed<std__pair<int_ long>>", "outer"},
      {"sleeping/top", "sleeping", {}, 0, true},
      {"needsTop", {}, {}, 0, false, true},
      {"needing/inner/last", "needing/inner", {}, 0, false, true},
      {"pipe|and(12)"},
      {"\"quoted\""},
      {"_not"},
      {"d\xC3\xA9j\xC3\xA0 vu"},
  };
  for (NativeTest test : expected) {
    CAPTURE(test.name);
    test.file = "boost_program.cpp";
    CHECK(named(tests, test.name) == test);
  }
  CHECK(tests.size() == 33);
}

TEST_CASE("Boost.Test: each test runs alone") { runEachAlone(kBoostTest); }

TEST_CASE("a program that does not list its tests is an error with what it said") {
  TemporaryDirectory directory;
  auto complaint = [&](Framework framework, const std::string &script,
                       std::optional<std::chrono::milliseconds> timeout = {}) {
    auto tests = listTests(framework, {.arguments = {"/bin/sh", "-c", script}, .timeout = timeout});
    return tests ? "nothing" : llvm::toString(tests.takeError());
  };
  CHECK(complaint(Framework::GoogleTest, "echo no such option >&2; exit 3") ==
        "/bin/sh: does not list its tests: it writes no list; it ended with 3 and said: no such "
        "option");
  CHECK(complaint(Framework::Doctest, "echo '<?xml?><doctest><TestCase name=\"a\"/>'") ==
        "/bin/sh: does not list its tests: its list has no end; it ended with 0 and said: "
        "<?xml?><doctest><TestCase name=\"a\"/>");
  CHECK(complaint(Framework::Doctest, "kill -9 $$") ==
        "/bin/sh: does not list its tests: its list has no end; it said nothing and ended with "
        "137");
  CHECK(complaint(Framework::Catch2, "printf 'a\\t@f:1\\n'; exit 2") ==
        "/bin/sh: does not list its tests: its exit code is not the number of tests in its list, "
        "1; it ended with 2 and said: a\t@f:1");
  CHECK(complaint(Framework::Doctest, "sleep 60", std::chrono::milliseconds(100)) ==
        "/bin/sh: did not list its tests within 100 ms");
}
