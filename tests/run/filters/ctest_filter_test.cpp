// Filters of CTest: what the CTest of this machine runs with them, and the text for others.

#include "run/ctest_filter.h"
#include "tests/run/suite/ctest_project.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <random>
#include <set>

using namespace retest;

namespace {

constexpr CTestVersion kOld = {3, 20}, kNew = {3, 29};

const std::vector<std::string> kNames = {"plain",      "Plain",
                                         "plain.more", "plainXmore",
                                         "a+b",        "a|b",
                                         "a",          "b",
                                         "(paren)",    "[bracket]",
                                         "]",          "^caret",
                                         "$",          "*star",
                                         "x?",         "back\\slash",
                                         "ends in \\", " blanks around ",
                                         "#hash",      "two  words",
                                         "a;b",        "\"q\"",
                                         "-R",         "a,b",
                                         "tt<int>",    "d\xC3\xA9j\xC3\xA0 vu",
                                         "S.t/0",      "{1,2}",
                                         "'",          "${x}",
                                         "@x@"};

/// Tests with hostile names, some of which need others; the last ones are in a directory below.
/// Each tells its number in a file.
class Project {
public:
  Project() : project_(lists()), entries_(project_.entries()) {}

  const std::vector<SuiteEntry> &entries() const { return entries_; }

  std::set<std::size_t> run(const SuiteFilter &filter) const {
    directory_.write("ran", "");
    for (const RunnerStart &start : filter.starts) {
      ProcessCommand command{.arguments = {"ctest"}, .directory = project_.build()};
      llvm::append_range(command.arguments,
                         argumentsOf(start, directory_.write("filter", start.file)));
      auto result = runProcess(command);
      REQUIRE(bool(result));
      CAPTURE(result->errors);
      CHECK(result->succeeded() == !start.mayRunNothing);
    }
    std::set<std::size_t> ran;
    std::ifstream stream(told());
    for (std::string number; std::getline(stream, number);)
      for (std::size_t i = 0; i < entries_.size(); ++i)
        if (llvm::StringRef(entries_[i].command.back()).starts_with("echo " + number + " "))
          ran.insert(i);
    return ran;
  }

private:
  std::string told() const { return directory_ / "ran"; }

  std::string added(const std::string &name, std::size_t number) const {
    return "add_test(NAME [==[" + name + "]==] COMMAND sh -c \"echo " + std::to_string(number) +
           " >> " + told() + "\")\n";
  }

  std::string lists() const {
    std::string text;
    for (std::size_t i = 0; i < kNames.size(); ++i)
      text += added(kNames[i], i);
    return text + added("first", 100) + added("second", 101) + added("third", 102) +
           added("setup", 103) + added("cleanup", 104) + added("user", 105) + added("off", 106) +
           added("same", 107) + R"(
set_tests_properties(second PROPERTIES DEPENDS "first;a+b")
set_tests_properties(third PROPERTIES DEPENDS second)
set_tests_properties(setup PROPERTIES FIXTURES_SETUP f DEPENDS plain)
set_tests_properties(cleanup PROPERTIES FIXTURES_CLEANUP f)
set_tests_properties(user PROPERTIES FIXTURES_REQUIRED f)
set_tests_properties(off PROPERTIES DISABLED ON FIXTURES_SETUP f DEPENDS third)
file(WRITE "${CMAKE_SOURCE_DIR}/below/CMakeLists.txt" [===[
)" + added("same", 200) +
           added("last", 201) + "]===])\nadd_subdirectory(below)\n";
  }

  TemporaryDirectory directory_;
  CTestProject project_;
  std::vector<SuiteEntry> entries_;
};

/// What is wanted and not disabled, and what the filter says runs too.
std::set<std::size_t> expected(llvm::ArrayRef<SuiteEntry> entries,
                               const std::vector<bool> &isWanted, FilterForm form,
                               CTestVersion version) {
  SuiteFilter filter = ctestFilter(entries, isWanted, form, version);
  std::set<std::size_t> running(filter.extra.begin(), filter.extra.end());
  std::vector<std::size_t> asleep;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (isWanted[i] && entries[i].isDisabled)
      asleep.push_back(i);
    else if (isWanted[i])
      running.insert(i);
  }
  CHECK(filter.asleep == asleep);
  CHECK(filter.isExact == filter.extra.empty());
  return running;
}

std::vector<SuiteEntry> named(const std::vector<std::string> &names) {
  std::vector<SuiteEntry> entries;
  for (const std::string &name : names)
    entries.push_back({name});
  return entries;
}

/// The one start, with its file behind it.
std::string textOf(const SuiteFilter &filter) {
  REQUIRE(filter.starts.size() == 1);
  return llvm::join(argumentsOf(filter.starts[0], "F"), " ") +
         (filter.starts[0].file.empty() ? "" : " F: " + filter.starts[0].file);
}

/// Names of which an expression of CMake holds few for its length.
std::vector<std::string> manyNames() {
  std::vector<std::string> names;
  for (char a = 'a'; a <= 'z'; ++a)
    for (char b = 'a'; b <= 'z'; ++b)
      for (char c = '0'; c <= '9'; ++c)
        names.push_back({a, b, '.', c});
  return names;
}

} // namespace

TEST_CASE("CTest: what runs is what was wanted and what the filter says") {
  Project project;
  CTestVersion version = llvm::cantFail(readCTestVersion());
  llvm::ArrayRef<SuiteEntry> entries = project.entries();
  std::mt19937 random(1);
  for (unsigned set = 0; set < 30; ++set) {
    CAPTURE(set);
    const unsigned shares[] = {0, 5, 50, 95, 100};
    std::vector<bool> isWanted;
    for (std::size_t i = 0; i < entries.size(); ++i)
      isWanted.push_back(random() % 100 < shares[set % 5]);
    CHECK(project.run(ctestFilter(entries, isWanted, FilterForm::Include, version)) ==
          expected(entries, isWanted, FilterForm::Include, version));
    CHECK(project.run(ctestFilter(entries, isWanted, FilterForm::Exclude, version)) ==
          expected(entries, isWanted, FilterForm::Exclude, version));

    // One that is not in the list.
    isWanted.pop_back();
    llvm::ArrayRef<SuiteEntry> known = entries.drop_back();
    SuiteFilter filter = ctestFilter(known, isWanted, FilterForm::Exclude, version);
    filter.starts.at(0).mayRunNothing = false;
    std::set<std::size_t> all = expected(known, isWanted, FilterForm::Exclude, version);
    all.insert(known.size());
    CHECK(project.run(filter) == all);
  }
}

TEST_CASE("CTest: many names") {
  std::vector<std::string> names = manyNames();
  std::string lists;
  for (const std::string &name : names)
    lists += "add_test(NAME " + name + " COMMAND true)\n";
  CTestProject project(lists);
  std::vector<SuiteEntry> entries = project.entries();
  std::vector<bool> isWanted(entries.size());
  for (std::size_t i = 0; i < isWanted.size(); i += 2)
    isWanted[i] = true;
  for (FilterForm form : {FilterForm::Include, FilterForm::Exclude}) {
    SuiteFilter filter = ctestFilter(entries, isWanted, form, kOld);
    REQUIRE(filter.starts.size() == 1);
    std::string file = project.directory().write("filter", filter.starts[0].file);
    ProcessCommand command{.arguments = {"ctest", "-N"}, .directory = project.build()};
    llvm::append_range(command.arguments, argumentsOf(filter.starts[0], file));
    auto result = runProcess(command);
    REQUIRE(bool(result));
    std::size_t count = entries.size() / 2 + filter.extra.size();
    CHECK(result->output.find("Total Tests: " + std::to_string(count) + "\n") != std::string::npos);
    CHECK(filter.extra.empty() == (form == FilterForm::Include));
    CHECK(filter.extra.size() < entries.size() / 2);
  }
}

TEST_CASE("CTest: many names, and none of them as a number") {
  std::vector<SuiteEntry> entries = named(manyNames());
  entries.push_back({entries.front().name}); // there twice
  std::vector<bool> isWanted(entries.size());
  for (std::size_t i = 0; i < entries.size(); i += 2)
    isWanted[i] = true;
  isWanted.back() = false;
  std::vector<SuiteFilter> filters = ctestFiltersByName(entries, isWanted, kOld);
  CHECK(filters.size() > 1);
  std::set<std::string> names;
  for (const SuiteFilter &filter : filters) {
    REQUIRE(filter.starts.size() == 1);
    CHECK(filter.extra == std::vector<std::size_t>{entries.size() - 1});
    const std::vector<std::string> &arguments = filter.starts[0].arguments;
    REQUIRE(arguments.size() == 3);
    CHECK(arguments[1] == "-R");
    llvm::StringRef expression = arguments[2];
    llvm::SmallVector<llvm::StringRef, 0> parts;
    expression.drop_front(2).drop_back(2).split(parts, '|');
    for (llvm::StringRef part : parts)
      CHECK(names.insert(part.str()).second);
  }
  CHECK(names.size() == entries.size() / 2);
  CHECK(ctestFiltersByName(entries, isWanted, kNew).size() == 1);
  isWanted.assign(isWanted.size(), false);
  CHECK(ctestFiltersByName(entries, isWanted, kOld).at(0).starts.empty());
}

TEST_CASE("CTest: the text for each version") {
  std::vector<SuiteEntry> few = named({"a.b", "a+b", "c", "off"});
  few[3].isDisabled = true;
  auto text = [&](FilterForm form, std::vector<bool> isWanted) {
    CHECK(textOf(ctestFilter(few, isWanted, form, kOld)) ==
          textOf(ctestFilter(few, isWanted, form, kNew)));
    return textOf(ctestFilter(few, isWanted, form, kOld));
  };
  using enum FilterForm;
  CHECK(text(Include, {true, true, false, true}) == "--no-tests=error -R ^(a\\+b|a\\.b)$");
  CHECK(text(Exclude, {true, false, false, true}) == "--no-tests=error -E ^(a\\+b|c)$");
  CHECK(text(Include, {true, true, true, false}) == "--no-tests=error");
  CHECK(text(Exclude, {true, true, true, false}) == "--no-tests=error");
  CHECK(text(Exclude, {false, false, false, false}) == "--no-tests=error -E ^(a\\+b|a\\.b|c)$");
  CHECK(ctestFilter(few, {false, false, false, false}, Include, kOld).starts.empty());
  CHECK(ctestFilter(few, {false, false, false, true}, Include, kOld).starts.empty());
  CHECK(ctestFilter(few, {false, false, false, true}, Include, kOld).asleep ==
        std::vector<std::size_t>{3});

  std::vector<SuiteEntry> twice = named({"x", "x", "y"});
  CHECK(textOf(ctestFilter(twice, {false, true, false}, Include, kNew)) ==
        "--no-tests=error -I F F: 0,0,0,2\n");
  CHECK(textOf(ctestFilter(twice, {false, true, false}, Exclude, kNew)) ==
        "--no-tests=error -E ^(y)$");
  CHECK(ctestFilter(twice, {false, true, false}, Exclude, kNew).extra ==
        std::vector<std::size_t>{0});

  std::vector<std::string> names = manyNames();
  names.emplace_back("#hash");
  std::vector<SuiteEntry> many = named(names);
  std::vector<bool> isWanted(many.size(), true);
  isWanted[1] = isWanted.back() = false;
  CHECK(llvm::StringRef(textOf(ctestFilter(many, isWanted, Include, kOld)))
            .starts_with("--no-tests=error -I F F: 0,0,0,1,3,4,"));
  CHECK(llvm::StringRef(textOf(ctestFilter(many, isWanted, Include, kNew)))
            .starts_with("--no-tests=error --tests-from-file F F: aa.0\naa.2\naa.3\n"));
  isWanted.flip();
  CHECK(llvm::StringRef(textOf(ctestFilter(many, isWanted, Exclude, kNew)))
            .starts_with("--no-tests=error --exclude-from-file F F: aa.0\naa.2\naa.3\n"));
  isWanted.flip();
  isWanted.back() = true; // what no line can be is told by its number
  CHECK(llvm::StringRef(textOf(ctestFilter(many, isWanted, Include, kNew)))
            .starts_with("--no-tests=error -I F F: 0,0,0,1,3,4,"));
}

TEST_CASE("CTest: what an entry needs runs with it") {
  std::vector<SuiteEntry> entries =
      named({"first", "second", "setup", "cleanup", "user", "off", "other"});
  entries[1].depends = {"first"};
  entries[2].fixturesSetup = {"f"};
  entries[2].depends = {"second", "not there"};
  entries[3].fixturesCleanup = {"f"};
  entries[4].fixturesRequired = {"f"};
  entries[5].isDisabled = true;
  entries[5].fixturesSetup = {"f"};
  entries[5].depends = {"other"};
  auto filter = [&](std::size_t wanted, FilterForm form) {
    std::vector<bool> isWanted(entries.size());
    isWanted[wanted] = true;
    return ctestFilter(entries, isWanted, form, kOld);
  };
  using Indices = std::vector<std::size_t>;
  for (FilterForm form : {FilterForm::Include, FilterForm::Exclude}) {
    CHECK(filter(0, form).extra == Indices{});
    CHECK(filter(1, form).extra == Indices{0});
    CHECK(filter(4, form).extra == Indices{0, 1, 2, 3});
    CHECK(!filter(4, form).isExact);
  }
  CHECK(textOf(filter(4, FilterForm::Include)) ==
        "--no-tests=error -R ^(cleanup|first|second|setup|user)$");
  CHECK(textOf(filter(4, FilterForm::Exclude)) == "--no-tests=error -E ^(other)$");
}

TEST_CASE("CTest: its version") {
  CHECK(parseCTestVersion("ctest version 3.25.1\n\nCMake suite\n") == CTestVersion{3, 25});
  CHECK(parseCTestVersion("ctest version 4.0.0-rc1") == CTestVersion{4, 0});
  CHECK(parseCTestVersion("ctest version four") == std::nullopt);
  CHECK(parseCTestVersion("") == std::nullopt);
  CHECK(CTestVersion{4, 0} > kNew);
}
