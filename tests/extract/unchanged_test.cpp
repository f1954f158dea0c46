// Edits without meaning: no fingerprint may change.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("meaning: edits that change nothing") {
  struct Row {
    std::string edit, baseline, current;
  };
  const Row rows[] = {
      {"comments and layout", "int f(int x) { return x + 1; }",
       "// comment\nint f( int x )\n{\n  /* why */ return x+1;\n}\n"},
      {"a local renamed", "int f(int x) { int a = x; return a; }",
       "int f(int x) { int total = x; return total; }"},
      {"a parameter renamed", "int f(int x) { return x; }", "int f(int y) { return y; }"},
      {"functions reordered", "int f() { return 1; } int g() { return 2; }",
       "int g() { return 2; } int f() { return 1; }"},
      {"parentheses", "int f(int x) { return x + 1; }", "int f(int x) { return ((x) + 1); }"},
      {"static_assert", "int f() { return 1; }",
       "static_assert(sizeof(int) == 4); int f() { static_assert(true); return 1; }"},
      {"an attribute without effect", "int f() { return 1; }",
       "[[nodiscard, deprecated]] int f() { return 1; }"},
      {"an unused declaration", "int f() { return 1; }",
       "int unused(int); using T = int; extern int x; int f() { return 1; }"},
      {"a constant under another name", "enum E { A = 3 }; int f() { return A; }",
       "enum E { B = 3 }; int f() { return B; }"},
      {"a typedef for the same type", "int f(int x) { return x; }",
       "using I = int; I f(I x) { return x; }"},
      {"the same trait, written differently",
       "template <class T> constexpr bool is = __is_same(T, int);"
       "template <class T> int f(T) { return is<T>; } int g() { return f(1); }",
       "template <class T> constexpr bool is = false; template <> constexpr bool is<int> = true;"
       "template <class T> int f(T) { return is<T>; } int g() { return f(1); }"},
      {"a cast in another style", "long f(int x) { return (long)x; }",
       "long f(int x) { return static_cast<long>(x); }"},
      {"a namespace reopened", "namespace n { int f() { return 1; } int g() { return 2; } }",
       "namespace n { int f() { return 1; } } namespace n { int g() { return 2; } }"},
      {"an unrelated lambda in another function",
       "int f() { return 1; } int g() { return [] { return 2; }(); }",
       "int f() { return 1; }\n\n\nint g() { return [] { return 2; }(); }"},
      {"a lambda of one global does not number those of others",
       "auto b = [] { return 2; }; int g() { return b(); }",
       "\n\nauto b = [] { return 2; }; int g() { return b(); }"},
      {"an anonymous union moved",
       "struct S { union { int a; float b; }; }; int f(S s) { return s.a; }",
       "\n\n\nstruct S { union { int a; float b; }; }; int f(S s) { return s.a; }"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.edit);
    CHECK(changed(row.baseline, row.current) == "");
  }
}

TEST_CASE("meaning: a new lambda at file scope does not touch those of other variables") {
  CHECK(
      changed("auto b = [] { return 2; };", "auto a = [] { return 1; }; auto b = [] { return 2; };")
          .find("b::lambda") == std::string::npos);
}

TEST_CASE("meaning: a new function does not touch the locals of those below") {
  CHECK(changed("int g() { return [x = 1] { return x; }(); }",
                "int h() { int q = 1; return q; } int g() { return [x = 1] { return x; }(); }") ==
        "h()");
}

// Position noise: what macros make of the line they stand on.

TEST_CASE("meaning: lines and files as arguments do not count") {
  struct Row {
    std::string how, source;
  };
  const Row rows[] = {
      {"as arguments", "void log(const char *, int); void f() { log(__FILE__, __LINE__); }"},
      {"through a macro", "void log(const char *, int);\n#define LOG() log(__FILE__, __LINE__)\n"
                          "void f() { LOG(); }"},
      {"converted",
       "void log(unsigned long); void f() { log(static_cast<unsigned long>(__LINE__)); }"},
      {"in a constructor",
       "struct At { At(const char *, int); }; void f() { At(__FILE__, __LINE__); }"},
      {"in an aggregate", "struct At { const char *f; int l; }; void log(At);"
                          " void f() { log({__FILE__, __LINE__}); }"},
      {"as text", "#define S2(x) #x\n#define S(x) S2(x)\nvoid log(const char *);"
                  " void f() { log(__FILE__ \":\" S(__LINE__)); }"},
      {"in a name", "#define C2(a, b) a##b\n#define C(a, b) C2(a, b)\n"
                    "int f() { int C(v, __LINE__) = 1; return 0; }"},
      {"in the name of a function", "#define C2(a, b) a##b\n#define C(a, b) C2(a, b)\n#define "
                                    "CASE(n) void C(fn_, __COUNTER__)()\n"
                                    "CASE(\"one\") {}\nCASE(\"two\") {}"},
      {"source_location", "struct L { static L current(int l = __builtin_LINE()) { return {}; } };"
                          "void log(L l = L::current()); void f() { log(); }"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.how);
    CHECK(changed(row.source, "\n\n\n" + row.source) == "");
  }
}

TEST_CASE("meaning: where a line is more than noise, it counts") {
  struct Row {
    std::string how, source;
  };
  const Row rows[] = {
      {"a case label", "int f(int x) { switch (x) { case __LINE__: return 1; } return 0; }"},
      {"a value", "int f() { int id = __LINE__; return id; }"},
      {"a computation", "void g(int); void f() { g(__LINE__ % 2); }"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.how);
    CHECK(changed(row.source, "\n" + row.source) == (row.how == "a case label" ? "f(int)" : "f()"));
  }
}

TEST_CASE("meaning: --line-sensitive lets every line count") {
  SourceOptions strict;
  strict.lineSensitive = true;
  std::string source = "void log(int); void f() { log(__LINE__); }";
  CHECK(changed(source, "\n" + source, strict) == "f()");
}

TEST_CASE("meaning: an inserted test does not rename those below") {
  std::string macros = "#define C2(a, b) a##b\n#define C(a, b) C2(a, b)\n"
                       "#define CASE(n) static void C(fn_, __COUNTER__)()\n";
  std::string names = changed(macros + "CASE(\"b\") { int x = 2; }",
                              macros + "CASE(\"a\") { int x = 1; }\nCASE(\"b\") { int x = 2; }");
  CHECK(names == "fn_[CASE(\"a\")]()");
}

TEST_CASE("meaning: text made by # is blind to layout between tokens, not to tokens") {
  std::string macro = "#define CHECK(x) check(x, #x)\nvoid check(bool, const char *);\n";
  CHECK(changed(macro + "void f(int a) { CHECK(a == 1); }",
                macro + "void f(int a) { CHECK(a==1); }") == "");
  CHECK(changed(macro + "void f(int a) { CHECK(a == 1); }",
                macro + "void f(int a) { CHECK(a  ==\n   1); }") == "");
  // Quotes inside quotes, and characters that are quotes.
  for (auto [written, reformatted] :
       {std::pair("g(\"\\\"\\\\\",a)", "g(\"\\\"\\\\\", a)"),
        std::pair("g(\"\\\"\",a)", "g(\"\\\"\", a)"),
        std::pair("g(a+'\"'?\"a\":\"b\",a)", "g(a + '\"' ? \"a\" : \"b\", a)")})
    CHECK(changed(macro + "bool g(const char *, int);\nvoid f(int a) { CHECK(" + written + "); }",
                  macro + "bool g(const char *, int);\nvoid f(int a) { CHECK(" + reformatted +
                      "); }") == "");
  std::string text = "#define TEXT(x) #x\n";
  CHECK(changed(text + "const char *f() { return TEXT(a b); }",
                text + "const char *f() { return TEXT(ab); }") == "f()");
  CHECK(changed(text + "const char *f() { return TEXT(\"a b\"); }",
                text + "const char *f() { return TEXT(\"ab\"); }") == "f()");
}

TEST_CASE("meaning: the length of stringified text in the name of an external callee") {
  SourceOptions options;
  options.flags = {"-I.."};
  options.headers = {
      {"../out.h", "struct Out { template <class T> Out &operator<<(const T &); };\n"}};
  std::string log = "#include <out.h>\n#define LOG(out, s) out << #s\n";
  CHECK(changed(log + "void f(Out &out) { LOG(out, 1+2); }",
                log + "void f(Out &out) { LOG(out, 1 + 2); }", options) == "");
  CHECK(changed(log + "void f(Out &out) { LOG(out, 1+2); }",
                log + "void f(Out &out) { LOG(out, 1+3); }", options) == "f(Out&)");
}

TEST_CASE("meaning: a line inside of stringified text") {
  std::string macros = "void fail(int); void died(const char *);\n"
                       "#define ASSERT(c) ((c) ? (void)0 : fail(__LINE__))\n"
                       "#define DEATH_(s) died(#s)\n#define DEATH(s) DEATH_(s)\n";
  CHECK(changed(macros + "void f(bool x) { DEATH(ASSERT(x)); }",
                macros + "\n\nvoid f(bool x) { DEATH(ASSERT(x)); }") == "");
  CHECK(changed(macros + "void f(bool x) { DEATH(ASSERT(x)); }",
                macros + "void f(bool x) {\n  DEATH(\n    ASSERT(\n      x)\n  ); }") == "");
  // The same number, but written by hand.
  std::string check = "void check(const char *, int);\n#define CHECK(x) check(#x, __LINE__)\n";
  CHECK(changed(check + "void f() { CHECK(3); }", check + "\nvoid f() { CHECK(4); }") == "f()");
}

TEST_CASE("meaning: attributes are the same in every run") {
  std::string source = "struct __attribute__((capability(\"mutex\"))) Mutex {};\n"
                       "struct C { Mutex mu; int n;\n"
                       "  int read() __attribute__((locks_excluded(mu))) { return n; } };\n"
                       "__attribute__((annotate(\"x\", 1 + 2))) int f() { return 1; }\n";
  CHECK(changed(source, source) == "");
}

// The real thing.

TEST_CASE("meaning: a line shift changes nothing through assertion macros of test frameworks") {
  struct Row {
    std::string framework, source;
  };
  const Row rows[] = {
      {"gtest", "#include <gtest/gtest.h>\n"
                "TEST(Suite, Name) { EXPECT_EQ(1, 1); ASSERT_TRUE(true) << \"x\"; "
                "EXPECT_THROW(throw 1, int);"
                " EXPECT_DEATH(abort(), \"\"); SCOPED_TRACE(\"here\"); }\n"
                "class P : public testing::TestWithParam<int> {};\n"
                "TEST_P(P, Q) { EXPECT_LT(GetParam(), 9); }\n"
                "INSTANTIATE_TEST_SUITE_P(I, P, testing::Values(1, 2));\n"},
      {"gmock",
       "#include <gmock/gmock.h>\n"
       "struct M { MOCK_METHOD(int, f, (int), ()); };\n"
       "TEST(Mock, Calls) { M m; EXPECT_CALL(m, f(3)).WillOnce(testing::Return(4)); m.f(3); }\n"},
      {"Catch2",
       "#include <catch2/catch.hpp>\n"
       "TEST_CASE(\"one\", \"[tag]\") { REQUIRE(1 == 1); SECTION(\"s\") { CHECK(true); } }\n"
       "TEST_CASE(\"two\") { CHECK_THROWS(throw 1); INFO(\"x\"); }\n"},
      {"doctest", "#include <doctest/doctest.h>\n"
                  "TEST_CASE(\"one\") { REQUIRE(1 == 1); SUBCASE(\"s\") { CHECK(true); } }\n"
                  "TEST_CASE(\"two\") { CHECK_THROWS(throw 1); CAPTURE(1); }\n"},
      {"Boost.Test",
       "#define BOOST_TEST_MODULE m\n#include <boost/test/included/unit_test.hpp>\n"
       "BOOST_AUTO_TEST_CASE(one) { BOOST_TEST(1 == 1); BOOST_CHECK_EQUAL(1, 1); }\n"},
      {"assert", "#include <cassert>\nint f(int x) { assert(x > 0); return x; }\n"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.framework);
    CHECK(changed(row.source, "// a comment\n\n\n\n" + row.source) == "");
  }
}
