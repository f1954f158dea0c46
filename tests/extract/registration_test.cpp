// The initialisers by which the real test frameworks learn of tests, and those that look like them.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace retest;

namespace {

/// How many dynamic initialisers of variables register tests, of how many, and the names of these
/// tests: "2 of 3: S.a, *".
std::string registrations(const std::string &source) {
  ExtractedUnit unit = extracted(source);
  int all = 0, registering = 0;
  std::string tests;
  for (const Function &function : unit.record.graph.functions)
    if (function.kind == FunctionKind::Initialiser && !function.isExternal &&
        function.name != unit.record.graph.initialiser) {
      ++all;
      registering += function.isTestRegistration;
      if (!function.registeredTest.empty())
        tests += (tests.empty() ? ": " : ", ") + function.registeredTest;
    }
  return fmt::format("{} of {}{}", registering, all, tests);
}

struct Row {
  std::string what, source, registrations;
};

void check(const std::string &header, const Row *begin, const Row *end) {
  for (const Row *row = begin; row != end; ++row) {
    CAPTURE(row->what);
    CHECK(registrations("#include <" + header + ">\n" + row->source) == row->registrations);
  }
}

} // namespace

TEST_CASE("test registration: GoogleTest") {
  const Row rows[] = {
      {"TEST", "TEST(S, a) { EXPECT_TRUE(true); }\nTEST(S, b) {}", "2 of 2: S.a, S.b"},
      {"TEST_F", "struct F : testing::Test {}; TEST_F(F, a) {}", "1 of 1: F.a"},
      {"TEST_P and its instances",
       "struct P : testing::TestWithParam<int> {}; TEST_P(P, a) {}\n"
       "int next() { return 3; }\n"
       "INSTANTIATE_TEST_SUITE_P(I, P, testing::Values(1, 2, next()));",
       "2 of 2: *, *"},
      {"with names",
       "struct P : testing::TestWithParam<int> {}; TEST_P(P, a) {}\n"
       "INSTANTIATE_TEST_SUITE_P(I, P, testing::Values(1), testing::PrintToStringParamName());",
       "2 of 2: *, *"},
      {"TYPED_TEST",
       "template <class T> struct F : testing::Test {};\n"
       "typedef testing::Types<int, char> Types; TYPED_TEST_SUITE(F, Types); TYPED_TEST(F, a) {}",
       "1 of 1: *"},
      {"TYPED_TEST_P",
       "template <class T> struct F : testing::Test {};\nTYPED_TEST_SUITE_P(F);\n"
       "TYPED_TEST_P(F, a) {}\nREGISTER_TYPED_TEST_SUITE_P(F, a);\n"
       "INSTANTIATE_TYPED_TEST_SUITE_P(I, F, int);",
       "4 of 4: *"},
      {"through a macro of the project", "#define MY_TEST(name) TEST(Mine, name)\nMY_TEST(a) {}",
       "1 of 1: Mine.a"},
      {"an environment of the whole program",
       "struct E : testing::Environment {};\n"
       "testing::Environment *const e = testing::AddGlobalTestEnvironment(new E);",
       "0 of 1"},
      {"an object of the project", "struct R { R(); }; static R r; TEST(S, a) {}", "1 of 2: S.a"},
      {"a registration by hand, on the way",
       "int count(); auto *t = testing::RegisterTest(\"S\", \"a\", nullptr, nullptr, \"f\", "
       "count(),"
       " []() -> testing::Test * { return nullptr; });",
       "0 of 1"},
      {"a namespace of the project with the same name",
       "namespace mine { namespace testing { struct AutoReg { AutoReg(); }; } }\n"
       "static mine::testing::AutoReg r;",
       "0 of 1"},
      {"a class of the project in the framework's namespace",
       "namespace testing { struct AutoReg { AutoReg(); }; }\nstatic testing::AutoReg r;",
       "0 of 1"},
  };
  check("gtest/gtest.h", std::begin(rows), std::end(rows));
}

TEST_CASE("test registration: Catch2") {
  const Row rows[] = {
      {"TEST_CASE", "TEST_CASE(\"a\", \"[x]\") { REQUIRE(true); SECTION(\"s\") {} }", "1 of 1: a"},
      {"without a name", "TEST_CASE() {}", "1 of 1: *"},
      {"SCENARIO", "SCENARIO(\"a\") { GIVEN(\"g\") {} }", "1 of 1: Scenario: a"},
      {"TEST_CASE_METHOD", "struct F {}; TEST_CASE_METHOD(F, \"a\") {}", "1 of 1: a"},
      {"METHOD_AS_TEST_CASE", "struct F { void m() {} }; METHOD_AS_TEST_CASE(F::m, \"a\")",
       "1 of 1: a"},
      {"TEMPLATE_TEST_CASE", "TEMPLATE_TEST_CASE(\"a\", \"[x]\", int, char) {}", "1 of 1: *"},
      {"a name made by the project", "const char *name(); TEST_CASE(name()) {}", "0 of 1"},
      {"a name that counts", "int n; TEST_CASE(std::to_string(n++)) {}", "0 of 1"},
      {"a translator of exceptions",
       "CATCH_TRANSLATE_EXCEPTION(int &e) { return std::to_string(e); }", "0 of 1"},
      {"a listener",
       "struct L : Catch::TestEventListenerBase { using "
       "TestEventListenerBase::TestEventListenerBase;"
       " }; CATCH_REGISTER_LISTENER(L)",
       "0 of 1"},
  };
  check("catch2/catch.hpp", std::begin(rows), std::begin(rows) + 8);
  // Those two are for the unit with main.
  for (const Row *row = std::begin(rows) + 8; row != std::end(rows); ++row) {
    CAPTURE(row->what);
    CHECK(registrations("#define CATCH_CONFIG_EXTERNAL_INTERFACES\n#include <catch2/catch.hpp>\n" +
                        row->source) == row->registrations);
  }
}

TEST_CASE("test registration: doctest") {
  const Row rows[] = {
      {"TEST_CASE", "TEST_CASE(\"a\") { CHECK(true); SUBCASE(\"s\") {} }", "1 of 1: a"},
      {"with decorators", "TEST_CASE(\"a\" * doctest::description(\"d\") * doctest::timeout(1)) {}",
       "1 of 1: a"},
      {"TEST_SUITE", "TEST_SUITE(\"s\") { TEST_CASE(\"a\") {} }", "1 of 1: a"},
      {"TEST_SUITE_BEGIN", "TEST_SUITE_BEGIN(\"s\"); TEST_CASE(\"a\") {} TEST_SUITE_END();",
       "3 of 3: a"},
      {"TEST_CASE_FIXTURE", "struct F {}; TEST_CASE_FIXTURE(F, \"a\") {}", "1 of 1: a"},
      {"TEST_CASE_TEMPLATE", "TEST_CASE_TEMPLATE(\"a\", T, int, char) {}", "1 of 1: *"},
      {"a decorator of the project",
       "bool skipped(); TEST_CASE(\"a\" * doctest::skip(skipped())) {}", "0 of 1"},
      {"a translator of exceptions", "REGISTER_EXCEPTION_TRANSLATOR(int &) { return \"int\"; }",
       "0 of 1"},
  };
  check("doctest/doctest.h", std::begin(rows), std::end(rows));
}

TEST_CASE("test registration: Boost.Test") {
  const std::string header = "#define BOOST_TEST_DYN_LINK\n#include <boost/test/unit_test.hpp>\n";
  const Row rows[] = {
      {"BOOST_AUTO_TEST_CASE", "BOOST_AUTO_TEST_CASE(a) { BOOST_TEST(true); }", "1 of 1: a"},
      {"in a suite",
       "BOOST_AUTO_TEST_SUITE(s)\nBOOST_AUTO_TEST_CASE(a) {}\nBOOST_AUTO_TEST_SUITE_END()",
       "3 of 3: s/a"},
      {"BOOST_FIXTURE_TEST_CASE", "struct F {}; BOOST_FIXTURE_TEST_CASE(a, F) {}", "1 of 1: a"},
      {"BOOST_AUTO_TEST_CASE_TEMPLATE",
       "typedef boost::mpl::list<int, char> types; BOOST_AUTO_TEST_CASE_TEMPLATE(a, T, types) {}",
       "1 of 1: *"},
      {"in a suite in a namespace",
       "namespace mine {\nBOOST_AUTO_TEST_SUITE(s)\nBOOST_AUTO_TEST_SUITE(t)\n"
       "BOOST_AUTO_TEST_CASE(a) {}\nBOOST_AUTO_TEST_SUITE_END()\nBOOST_AUTO_TEST_SUITE_END()\n}",
       "5 of 5: s/t/a"},
      {"a fixture of the whole program", "struct F {}; BOOST_GLOBAL_FIXTURE(F);", "0 of 1"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(registrations(header + "#include <boost/mpl/list.hpp>\n" + row.source) ==
          row.registrations);
  }
}
