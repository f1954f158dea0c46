// Filters of whole programs, with real programs of each framework: for random sets of tests with
// hostile names, what runs is what was wanted and what the filter says runs too.

#include "run/list_tests.h"
#include "run/suite_filter.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace retest;

namespace {

/// Suite, name and line.
using Identity = std::tuple<std::string, std::string, unsigned>;
using Identities = std::set<Identity>;
using Random = std::mt19937;

struct TableRow {
  std::string suite, name;
  bool isDisabled = false, dependsOnFirst = false;
};

struct Subject {
  Framework framework;
  const char *program;
  std::vector<std::string> suites;
};

const std::vector<std::string> kPlainSuites = {"",    "first", "First", "second, with a comma",
                                               "a*b", "acb",   "?",     "ends in \\"};
const Subject kGoogleTest = {
    Framework::GoogleTest, FILTER_GOOGLETEST, {"S", "s", "S-x", "S:x", "T*", "T?", "two words"}};
const Subject kCatch2 = {Framework::Catch2, FILTER_CATCH2, {""}};
const Subject kDoctest = {Framework::Doctest, FILTER_DOCTEST, kPlainSuites};
const Subject kBoostTest = {
    Framework::BoostTest, FILTER_BOOST, {"", "outer", "outer/inner", "Outer", "a b"}};

const std::vector<std::string> kNames = {"plain",
                                         "Plain",
                                         "plain and more",
                                         "a,b",
                                         "a",
                                         "b",
                                         "\"quoted\" & <tagged> 'too'",
                                         "[bracket]",
                                         "[.]",
                                         "back\\slash",
                                         "ends in \\",
                                         "comma after \\,",
                                         "*star",
                                         "no star",
                                         "star*",
                                         "st*ar",
                                         "*",
                                         "question?",
                                         "questionX",
                                         "~tilde",
                                         "#hash",
                                         "exclude:this",
                                         "this",
                                         "-tc=plain",
                                         "--list-tests",
                                         " blanks around ",
                                         "blanks around",
                                         "colon:colon",
                                         "minus-minus",
                                         "slash/slash",
                                         "d\xC3\xA9j\xC3\xA0 vu",
                                         "tt<int>",
                                         "tt<std::pair<int, long>>"};

std::size_t below(Random &random, std::size_t end) { return random() % end; }

std::string randomName(Random &random) {
  static const std::vector<std::string> pieces = {
      "a", "A", "b",        "B", "ab",       ",", "\"", "[", "]", "\\",
      "*", "?", "~",        "#", "exclude:", " ", "\t", ":", "-", "/",
      "'", "|", "\xC3\xA9", ".", "<int>",    "!", "+",  "@", "(", "&"};
  std::string name;
  for (std::size_t count = 1 + below(random, 4); count > 0; --count)
    name += pieces[below(random, pieces.size())];
  return name;
}

/// Catch2 puts a name with a first `#` in quotes, and leaves one that is in quotes already.
bool canBeListed(const Subject &subject, const std::string &name) {
  return subject.framework != Framework::Catch2 || !llvm::StringRef(name).starts_with("\"#");
}

void addRandom(const Subject &subject, Random &random, std::size_t count,
               std::vector<TableRow> &table) {
  while (count > 0) {
    TableRow row{subject.suites[below(random, subject.suites.size())], randomName(random),
                 below(random, 8) == 0, below(random, 12) == 0 && !table.empty()};
    if (!canBeListed(subject, row.name))
      continue;
    table.push_back(std::move(row));
    --count;
  }
}

/// A program, its tests, and the same program with some more.
class Program {
public:
  Program(const Subject &subject, std::vector<TableRow> table, const std::vector<TableRow> &newer)
      : subject_(subject), table_(write("table", table)) {
    llvm::append_range(table, newer);
    newerTable_ = write("newer", table);
    tests_ = listed(table_);
    newerTests_ = listed(newerTable_);
  }

  const std::vector<NativeTest> &tests() const { return tests_; }

  /// Runs exactly what was wanted and what the filter has on top.
  void checkInclude(const std::vector<bool> &isWanted) const {
    SuiteFilter filter = suiteFilter(subject_.framework, tests_, isWanted, FilterForm::Include);
    Identities wanted, ran = run(filter, table_);
    bool isLoose = false; // Boost.Test may run more
    for (std::size_t i = 0; i < tests_.size(); ++i) {
      CHECK((!isWanted[i] || !llvm::is_contained(filter.extra, i)));
      if (isWanted[i])
        wanted.insert(identity(tests_[i]));
      isLoose |= isWanted[i] && (tests_[i].bringsOthers || isUnnamed(tests_[i]));
    }
    CHECK(filter.asleep.empty());
    CHECK(filter.starts.empty() == !llvm::is_contained(isWanted, true));
    CHECK((filter.isExact == filter.extra.empty() || isLoose));
    if (isLoose) {
      CHECK(std::includes(ran.begin(), ran.end(), wanted.begin(), wanted.end()));
      CHECK((!filter.isExact || ran == wanted));
      return;
    }
    wanted.merge(named(filter.extra));
    check(ran, wanted, filter);
  }

  /// The same, and in the newer program all that the filter could not know.
  void checkExclude(const std::vector<bool> &isWanted, Unlisted unlisted) const {
    SuiteFilter filter =
        suiteFilter(subject_.framework, tests_, isWanted, FilterForm::Exclude, unlisted);
    CHECK(filter.isExact == filter.extra.empty());
    Identities expected = named(filter.extra), asleep;
    for (std::size_t i = 0; i < tests_.size(); ++i)
      if (isWanted[i])
        (tests_[i].isDisabled ? asleep : expected).insert(identity(tests_[i]));
    CHECK(asleep == named(filter.asleep));
    check(run(filter, table_), expected, filter);
    Identities ran = run(filter, newerTable_);
    for (const NativeTest &test : newerTests_) {
      if (llvm::is_contained(tests_, test))
        continue;
      if (isListed(test) || (unlisted == Unlisted::Distinct && !isDistinct(test)))
        ran.erase(identity(test));
      else if (!test.isDisabled)
        expected.insert(identity(test));
    }
    check(ran, expected, filter);
  }

  /// How many tests a filter has on top, in both forms.
  std::size_t countExtra(const std::vector<bool> &isWanted, FilterForm form) const {
    return suiteFilter(subject_.framework, tests_, isWanted, form, Unlisted::Distinct).extra.size();
  }

private:
  std::string write(const std::string &name, const std::vector<TableRow> &table) const {
    std::string text;
    for (const TableRow &row : table)
      for (const std::string &part :
           {row.suite, row.name,
            std::string(row.isDisabled ? "d" : "") + (row.dependsOnFirst ? "n" : "")})
        text += part + '\0';
    return directory_.write(name, text);
  }

  std::vector<NativeTest> listed(const std::string &table) const {
    auto tests = listTests(subject_.framework, {.arguments = {subject_.program},
                                                .environment = {{"RETEST_TABLE", table}}});
    if (!tests)
      FAIL(llvm::toString(tests.takeError()));
    return *tests;
  }

  Identity identity(const NativeTest &test) const {
    return {test.suite, test.name, subject_.framework == Framework::Catch2 ? 0 : test.line};
  }

  Identities named(const std::vector<std::size_t> &indices) const {
    Identities result;
    for (std::size_t i : indices)
      result.insert(identity(tests_[i]));
    return result;
  }

  /// Boost.Test turns a name that is all blanks into none. Its filter is `*`; and that a suite
  /// matches does not always make all of it run.
  bool isUnnamed(const NativeTest &test) const {
    return subject_.framework == Framework::BoostTest &&
           (test.name.empty() || test.name.ends_with('/'));
  }

  /// By all that names a test.
  bool isListed(const NativeTest &test) const {
    return llvm::any_of(tests_, [&](const NativeTest &each) {
      return each.name == test.name && each.suite == test.suite;
    });
  }

  /// As Unlisted::Distinct means it.
  bool isDistinct(const NativeTest &test) const {
    auto folded = [](const NativeTest &each) { return llvm::StringRef(each.name).trim().lower(); };
    return !test.bringsOthers && llvm::none_of(tests_, [&](const NativeTest &each) {
      return subject_.framework == Framework::Doctest
                 ? each.name == test.name
                 : subject_.framework == Framework::Catch2 && folded(each) == folded(test);
    });
  }

  Identities run(const SuiteFilter &filter, const std::string &table) const {
    Identities result;
    for (const RunnerStart &start : filter.starts) {
      Identities ran = run(start, table);
      if (table == table_)
        CHECK(ran.empty() == start.mayRunNothing);
      result.insert(ran.begin(), ran.end());
    }
    return result;
  }

  Identities run(const RunnerStart &start, const std::string &table) const {
    std::string told = directory_.write("ran", ""), file = directory_.write("filter", start.file);
    ProcessCommand command{.arguments = {subject_.program},
                           .environment = {{"RETEST_TABLE", table}, {"RETEST_RAN", told}}};
    llvm::append_range(command.arguments, argumentsOf(start, file));
    auto result = runProcess(command);
    if (!result)
      FAIL(llvm::toString(result.takeError()));
    CHECK(result->signal == 0);
    Identities ran;
    std::ifstream stream(told, std::ios::binary);
    std::string suite, name, line;
    while (std::getline(stream, suite, '\0') && std::getline(stream, name, '\0') &&
           std::getline(stream, line, '\0'))
      ran.insert({suite, name, static_cast<unsigned>(std::stoul(line))});
    return ran;
  }

  static std::string shown(const Identities &tests) {
    std::ostringstream text;
    for (const auto &[suite, name, line] : tests)
      text << '{' << suite << "}{" << name << "} " << line << '\n';
    return text.str();
  }

  static void check(const Identities &ran, const Identities &expected, const SuiteFilter &filter) {
    if (ran == expected)
      return;
    std::string lines;
    for (const RunnerStart &start : filter.starts)
      lines += llvm::join(start.arguments, " ") + '\n';
    Identities less, more;
    std::set_difference(expected.begin(), expected.end(), ran.begin(), ran.end(),
                        std::inserter(less, less.end()));
    std::set_difference(ran.begin(), ran.end(), expected.begin(), expected.end(),
                        std::inserter(more, more.end()));
    CAPTURE(lines);
    CHECK(shown(less) == "");
    CHECK(shown(more) == "");
  }

  Subject subject_;
  TemporaryDirectory directory_;
  std::string table_, newerTable_;
  std::vector<NativeTest> tests_, newerTests_;
};

std::vector<TableRow> hostileTable(const Subject &subject, Random &random) {
  std::vector<TableRow> table;
  for (const std::string &name : kNames)
    table.push_back({subject.suites[below(random, subject.suites.size())], name,
                     below(random, 10) == 0, false});
  if (subject.framework == Framework::Doctest)
    table.push_back({"first", ""});
  if (subject.framework == Framework::Catch2)
    table.push_back({"", "  "});
  addRandom(subject, random, 30, table);
  return table;
}

std::vector<bool> randomSet(Random &random, std::size_t size) {
  static const std::vector<unsigned> shares = {0, 3, 50, 97, 100};
  unsigned share = shares[below(random, shares.size())];
  std::vector<bool> set;
  for (std::size_t i = 0; i < size; ++i)
    set.push_back(below(random, 100) < share);
  return set;
}

void checkRandomSets(const Subject &subject) {
  constexpr unsigned kPrograms = 15, kSets = 12;
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    std::vector<TableRow> table = hostileTable(subject, random), newer;
    if (seed % 3 != 0) // tests that depend on others leave little to exclude
      for (TableRow &row : table)
        row.dependsOnFirst = false;
    addRandom(subject, random, 20, newer);
    Program program(subject, table, newer);
    for (unsigned set = 0; set < kSets; ++set) {
      CAPTURE(set);
      std::vector<bool> isWanted = randomSet(random, program.tests().size());
      program.checkInclude(isWanted);
      program.checkExclude(isWanted, Unlisted::Any);
      program.checkExclude(isWanted, Unlisted::Distinct);
    }
  }
}

/// Names of 1000 bytes, every second of them wanted.
void checkManyTests(const Subject &subject, std::size_t count, bool haveRoom) {
  std::vector<TableRow> table;
  for (std::size_t i = 0; i < count; ++i)
    table.push_back({subject.suites.front(), std::to_string(10000 + i) + std::string(995, 'n')});
  Program program(subject, table, {{subject.suites.front(), "unlisted"}});
  std::vector<bool> isWanted;
  for (std::size_t i = 0; i < program.tests().size(); ++i)
    isWanted.push_back(i % 2 == 0 || !llvm::StringRef(program.tests()[i].name).contains("nnn"));
  program.checkInclude(isWanted);
  program.checkExclude(isWanted, Unlisted::Distinct);
  CHECK(program.countExtra(isWanted, FilterForm::Include) == 0);
  CHECK((program.countExtra(isWanted, FilterForm::Exclude) == 0) == haveRoom);
}

} // namespace

TEST_CASE("GoogleTest: what runs is what was wanted and what the filter says") {
  checkRandomSets(kGoogleTest);
}

TEST_CASE("Catch2: what runs is what was wanted and what the filter says") {
  checkRandomSets(kCatch2);
}

TEST_CASE("doctest: what runs is what was wanted and what the filter says") {
  checkRandomSets(kDoctest);
}

TEST_CASE("Boost.Test: what runs is what was wanted and what the filter says") {
  checkRandomSets(kBoostTest);
}

TEST_CASE("filters longer than an argument may be") {
  checkManyTests(kGoogleTest, 300, true);
  checkManyTests(kCatch2, 250, true);
  checkManyTests(kDoctest, 300, true);
  checkManyTests(kDoctest, 500, false);
  checkManyTests(kBoostTest, 1500, true);
  checkManyTests(kBoostTest, 2500, false);
}
