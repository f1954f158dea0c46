// The text of filters for whole programs.

#include "run/suite_filter.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;
using enum FilterForm;

namespace {

/// The tests' letters say what they are: `+` wanted, `-` not, with a `d` behind it if disabled.
struct Wish {
  std::vector<NativeTest> tests;
  std::vector<bool> isWanted;
};

Wish wish(const std::vector<std::pair<const char *, NativeTest>> &rows) {
  Wish result;
  for (auto [letters, test] : rows) {
    test.isDisabled = llvm::StringRef(letters).contains('d');
    result.tests.push_back(test);
    result.isWanted.push_back(llvm::StringRef(letters).contains('+'));
  }
  return result;
}

SuiteFilter filterOf(Framework framework, const Wish &wish, FilterForm form,
                     Unlisted unlisted = Unlisted::Any) {
  return suiteFilter(framework, wish.tests, wish.isWanted, form, unlisted);
}

/// Starts, separated by ` ; `; then the indices of what runs too, and of what does not run.
std::string textOf(const SuiteFilter &filter) {
  auto listed = [](llvm::StringRef word, const std::vector<std::size_t> &indices) {
    std::string text;
    for (std::size_t i : indices)
      text += (text.empty() ? " " + word.str() + " " : ",") + std::to_string(i);
    return text;
  };
  std::vector<std::string> starts;
  for (const RunnerStart &start : filter.starts)
    starts.push_back((start.mayRunNothing ? "(nothing) " : "") +
                     llvm::join(argumentsOf(start, "F"), " "));
  return llvm::join(starts, " ; ") + listed("extra", filter.extra) +
         listed("asleep", filter.asleep);
}

std::string textOf(Framework framework, const Wish &wish, FilterForm form,
                   Unlisted unlisted = Unlisted::Any) {
  return textOf(filterOf(framework, wish, form, unlisted));
}

constexpr Framework kFrameworks[] = {Framework::GoogleTest, Framework::Catch2, Framework::Doctest,
                                     Framework::BoostTest};

} // namespace

TEST_CASE("nothing wanted: nothing is started, unless something may be unknown") {
  for (Framework framework : kFrameworks) {
    Wish none = wish({{"-", {"a"}}, {"-d", {"b"}}});
    CHECK(filterOf(framework, none, Include) == SuiteFilter{});
    CHECK(filterOf(framework, {}, Include) == SuiteFilter{});
    SuiteFilter filter = filterOf(framework, none, Exclude, Unlisted::Distinct);
    CHECK(filter.extra.empty());
    REQUIRE(filter.starts.size() == 1);
    CHECK(filter.starts[0].mayRunNothing);
    CHECK(!filter.starts[0].arguments.empty());
    CHECK(textOf(framework, {}, Exclude) == "(nothing) ");
  }
}

TEST_CASE("everything wanted: no filter") {
  for (Framework framework : kFrameworks)
    for (FilterForm form : {Include, Exclude}) {
      SuiteFilter filter = filterOf(framework, wish({{"+", {"a"}}, {"+", {"b"}}, {"-d", {"c"}}}),
                                    form, Unlisted::Distinct);
      CHECK(filter == SuiteFilter{{RunnerStart{}}});
    }
}

TEST_CASE("filters of GoogleTest") {
  Wish tests = wish({{"+", {"S.a"}},
                     {"-", {"S.b"}},
                     {"+", {"S.x-y"}},
                     {"-", {"S.x:y"}},
                     {"-d", {"S.DISABLED_c"}}});
  CHECK(textOf(Framework::GoogleTest, tests, Include) == "--gtest_filter=S.a:S.x?y extra 3");
  CHECK(textOf(Framework::GoogleTest, tests, Exclude) == "--gtest_filter=-S.b extra 3");
  tests.isWanted[4] = true;
  CHECK(textOf(Framework::GoogleTest, tests, Include) ==
        "--gtest_filter=S.a:S.x?y ; --gtest_also_run_disabled_tests --gtest_filter=S.DISABLED_c "
        "extra 3");
  CHECK(textOf(Framework::GoogleTest, tests, Exclude) == "--gtest_filter=-S.b extra 3 asleep 4");
  CHECK(textOf(Framework::GoogleTest, wish({{"+", {"S.a\nb"}}, {"-", {"S.c\nd"}}}), Include) ==
        "--gtest_filter=S.a?b");
  CHECK(textOf(Framework::GoogleTest, wish({{"+", {"S.a\nb"}}, {"-", {"S.c\nd"}}}), Exclude) ==
        " extra 1");
}

TEST_CASE("filters of Catch2") {
  Wish tests = wish({{"+", {"a,b"}},
                     {"-", {"[c]"}},
                     {"+", {"Two"}},
                     {"-", {" two "}},
                     {"-", {"*d"}},
                     {"-", {"exclude:e"}},
                     {"-d", {"TWO"}}});
  CHECK(textOf(Framework::Catch2, tests, Include) == "\"a\\,b\",\"Two\"~[.] extra 3");
  CHECK(textOf(Framework::Catch2, tests, Exclude) == " extra 1,3,4,5");
  CHECK(textOf(Framework::Catch2, tests, Exclude, Unlisted::Distinct) ==
        "\"*\"~[.]~\"\\[c\\]\"~\"Exclude:e\" extra 3,4");
  Wish hidden = wish({{"-", {"two"}}, {"+d", {"TWO"}}, {"-d", {"Two"}}});
  CHECK(textOf(Framework::Catch2, hidden, Include) == "\"TWO\" extra 0,2");
  Wish broken = wish({{"+", {"a\nb"}}, {"-", {"ac"}}, {"-", {"  "}}});
  CHECK(textOf(Framework::Catch2, broken, Include) == "\"a*\" extra 1");
  broken.isWanted.flip();
  CHECK(textOf(Framework::Catch2, broken, Include) == "\"ac\",\" \"");
  Wish quoted = wish({{"+", {"\"q\""}}, {"+", {"ends in \\"}}, {"-", {"a"}}});
  CHECK(textOf(Framework::Catch2, quoted, Include) == "\"\\\"q\\\"\",\"ends in \\\\\"");
}

TEST_CASE("filters of doctest") {
  Wish tests = wish({{"+", {"a,b"}},
                     {"-", {"c"}},
                     {"+", {"same", "first"}},
                     {"-", {"same", "second"}},
                     {"-", {"d\\"}},
                     {"-", {"e*", "second"}},
                     {"-", {"f", "first"}}});
  CHECK(textOf(Framework::Doctest, tests, Include) ==
        "--dt-case-sensitive=true --dt-test-case=a?b ; "
        "--dt-case-sensitive=true --dt-test-suite=first --dt-test-case=same");
  CHECK(textOf(Framework::Doctest, tests, Exclude, Unlisted::Distinct) ==
        "--dt-case-sensitive=true --dt-test-case-exclude=c,d\\\\,f extra 3,5");
  CHECK(textOf(Framework::Doctest, tests, Exclude) ==
        "--dt-case-sensitive=true --dt-test-suite-exclude=?* --dt-test-case-exclude=c ; "
        "--dt-case-sensitive=true --dt-test-suite=first --dt-test-case-exclude=f ; "
        "--dt-case-sensitive=true --dt-test-suite=second --dt-test-case-exclude=same ; "
        "(nothing) --dt-case-sensitive=true --dt-test-suite=?* "
        "--dt-test-suite-exclude=first,second extra 4,5");
  Wish parts = wish({{"+", {"b"}}, {"-", {"a,b"}}, {"-", {"a,c"}}});
  CHECK(textOf(Framework::Doctest, parts, Exclude, Unlisted::Distinct) ==
        "--dt-case-sensitive=true --dt-test-case-exclude=a\\,c extra 1");
  Wish unnamed = wish({{"+", {""}}, {"-", {"", "s"}}, {"+d", {"g"}}, {"-", {"h"}}});
  CHECK(textOf(Framework::Doctest, unnamed, Include) ==
        "--dt-case-sensitive=true --dt-test-suite-exclude=?* --dt-test-case-exclude=?* ; "
        "--dt-case-sensitive=true --dt-no-skip=true --dt-test-case=g");
}

TEST_CASE("filters of Boost.Test") {
  Wish tests = wish({{"+", {"s/a", "s"}},
                     {"-", {"s/b", "s"}},
                     {"+", {"s/c", "s"}},
                     {"-", {"s/t/a", "s/t"}},
                     {"-", {"top"}},
                     {"-d", {"off"}}});
  CHECK(textOf(Framework::BoostTest, tests, Include) == "--run_test=s/a,c");
  CHECK(textOf(Framework::BoostTest, tests, Exclude) == " extra 1,3,4");
  CHECK(textOf(Framework::BoostTest, tests, Exclude, Unlisted::Distinct) ==
        "--run_test=!s/b:!s/t/a:!top");
  tests.isWanted[5] = true;
  CHECK(textOf(Framework::BoostTest, tests, Include) == "--run_test=s/a,c ; --run_test=off");

  // What a test needs cannot be excluded, and is not known.
  tests.tests[0].bringsOthers = true;
  CHECK(!filterOf(Framework::BoostTest, tests, Include).isExact);
  CHECK(textOf(Framework::BoostTest, tests, Exclude, Unlisted::Distinct) ==
        " extra 1,3,4 asleep 5");
  tests.isWanted[0] = false;
  CHECK(textOf(Framework::BoostTest, tests, Exclude, Unlisted::Distinct) ==
        "--run_test=!s/a,b:!s/t/a:!top asleep 5");
}

TEST_CASE("long filters: a file where there is one, else more starts, else what fits") {
  Wish many;
  for (unsigned i = 0; i < 30000; ++i) {
    many.tests.push_back({"suite/" + std::to_string(100000 + i), "suite"});
    many.tests.push_back({std::string(100, 'x') + std::to_string(i)});
    many.isWanted.push_back(true);
    many.isWanted.push_back(false);
  }
  for (Framework framework : kFrameworks)
    for (FilterForm form : {Include, Exclude}) {
      SuiteFilter filter = filterOf(framework, many, form, Unlisted::Distinct);
      bool hasFile = framework == Framework::GoogleTest || framework == Framework::Catch2;
      CHECK(filter.isExact == (hasFile || form == Include));
      CHECK((filter.starts.size() == 1) ==
            (hasFile || form == Exclude || framework == Framework::BoostTest));
      CHECK(filter.extra.size() < 30000);
      for (const RunnerStart &start : filter.starts) {
        CHECK(start.file.empty() != hasFile);
        CHECK(std::count(start.file.begin(), start.file.end(), '\n') == (hasFile ? 1 : 0));
        for (const std::string &argument : start.arguments)
          CHECK(argument.size() < 101 * 1024);
        CHECK(llvm::join(start.arguments, " ").size() <= 1024 * 1024);
      }
    }
}
