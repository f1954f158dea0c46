// Text that the preprocessor leaves out: whose it is, and which edits of it count.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

using namespace retest;

namespace {

/// The fingerprints of left-out text, by function; that of the unit under "(unit)".
std::multimap<std::string, Fingerprint> compiledOut(const ExtractedUnit &unit) {
  std::multimap<std::string, Fingerprint> all;
  for (const Function &function : unit.record.graph.functions)
    if (function.compiledOut != Fingerprint{})
      all.emplace(unit.names.text(function.name).str(), function.compiledOut);
  for (const LeftOutText &text : unit.record.graph.compiledOut)
    if (text.text != Fingerprint{})
      all.emplace("(unit)", text.text);
  return all;
}

std::string ownersIn(const ExtractedUnit &unit) {
  std::string owners;
  for (const auto &entry : compiledOut(unit))
    owners += (owners.empty() ? "" : ", ") + entry.first;
  return owners;
}

} // namespace

TEST_CASE("compiled out: whose the text is") {
  struct Row {
    std::string where, source, owners;
    std::vector<std::pair<std::string, std::string>> headers = {};
  };
  const Row rows[] = {
      {"nothing is left out", "#if 1\nint f() { return 1; }\n#endif", ""},
      {"in a function",
       "int f() {\n#ifdef A\nreturn 2;\n#endif\nreturn 1; }\nint g() { return 1; }", "f()"},
      {"the other branch", "int f() {\n#if 1\nreturn 2;\n#else\nreturn 1;\n#endif\n}", "f()"},
      {"between functions", "int f() { return 1; }\n#ifdef A\nint g() { return 1; }\n#endif\n",
       "(unit)"},
      {"in a class, in a method of it",
       "struct S {\n#ifdef A\nint a;\n#endif\nint m() {\n#ifdef A\nreturn a;\n#endif\nreturn 1; }\n"
       "}; int f(S s) { return s.m(); }",
       "(unit), S::m()"},
      {"in each instantiation of a template",
       "template <class T> int t(T x) {\n#ifdef A\nreturn 2;\n#endif\nreturn x; }\n"
       "int f() { return t(1) + t('c'); }",
       "t<char>(char) -> int, t<int>(int) -> int"},
      {"in a template without instantiation",
       "template <class T> int t(T x) {\n#ifdef A\nreturn 2;\n#endif\nreturn x; }\n", "(unit)"},
      {"in a lambda and the function around it",
       "int f() {\nauto l = [] {\n#ifdef A\nreturn 2;\n#endif\nreturn 1; };\nreturn l(); }",
       "f(), f()::lambda#1() const"},
      {"in a function that a macro begins",
       "#define TEST(name) static void name()\nTEST(t) {\n#ifdef A\nint x;\n#endif\n}\n"
       "void f() { t(); }",
       "t()"},
      {"an include guard",
       "#include \"a.h\"\n#include \"a.h\"\n#include \"b.h\"\n#include \"b.h\"\n",
       "",
       {{"a.h", "#ifndef A\n#define A\nint a();\n#endif\n"},
        // Not one that Clang recognises: it enters the file again.
        {"b.h", "int b();\n#ifndef B\n#define B\nint c();\n#endif\n"}}},
      {"inside an include guard",
       "#include \"b.h\"\n#include \"b.h\"\n",
       "c()",
       {{"b.h", "int b();\n#ifndef B\n#define B\ninline int c() {\n#ifdef X\nreturn 2;\n#endif\n"
                "return 1; }\n#endif\n"}}},
      {"what another inclusion compiles",
       "#define PART 1\n#include \"parts.h\"\n#undef PART\n#define PART 2\n#include \"parts.h\"\n",
       "",
       {{"parts.h", "#if PART == 1\nint one();\n#else\nint two();\n#endif\n"}}},
      {"what no inclusion compiles",
       "#define PART 1\n#include \"parts.h\"\n#undef PART\n#define PART 2\n#include \"parts.h\"\n",
       "(unit)",
       {{"parts.h",
         "#if PART == 1\nint one();\n#elif PART == 2\nint two();\n#else\nint three();\n#endif\n"}}},
      {"outside the project",
       "#include \"../ext.h\"\n",
       "",
       {{"../ext.h", "inline int e() {\n#ifdef A\nreturn 2;\n#endif\nreturn 1; }\n"}}},
      {"text that is compiled nowhere", "int f() {\n#if 0\nreturn 2;\n#endif\nreturn 1; }", ""},
      {"text that is compiled nowhere, and other text",
       "int f() {\n#if 0\nreturn 2;\n#elif X\nreturn 3;\n#endif\nreturn 1; }", "f()"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.where);
    SourceOptions options;
    options.headers = row.headers;
    CHECK(ownersIn(extracted(row.source, options)) == row.owners);
  }
}

TEST_CASE("compiled out: which edits count") {
  struct Row {
    std::string edit, baseline, current;
    bool isChanged;
  };
  const Row rows[] = {
      {"a token", "#ifdef A\nreturn 2;\n#endif", "#ifdef A\nreturn 3;\n#endif", true},
      {"the condition", "#ifdef A\nreturn 2;\n#endif", "#ifdef B\nreturn 2;\n#endif", true},
      {"comments and layout", "#ifdef A\nreturn 2;\n#endif",
       "\n#  ifdef A // why\n  return /* two */\n  2;\n#endif", false},
      {"where a directive ends", "#ifdef A\n#define X 1\nY\n#endif",
       "#ifdef A\n#define X\n1 Y\n#endif", true},
      {"an apostrophe in text", "#ifdef A\ndon't\n#endif", "#ifdef A\ndon't now\n#endif", true},
      {"what the other branch compiles", "#ifdef A\nreturn 2;\n#else\n;\n#endif",
       "#ifdef A\nreturn 2;\n#else\n;;\n#endif", false},
      {"a block added", "", "#ifdef A\nreturn 2;\n#endif", true},
      {"a block that is compiled nowhere added", "", "#if 0\nreturn 2;\n#endif", false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.edit);
    auto at = [](const std::string &before, const std::string &text, const std::string &after) {
      return compiledOut(extracted(before + "\n" + text + "\n" + after));
    };
    CHECK((at("int f() {", row.baseline, "return 1; }") !=
           at("int f() {", row.current, "return 1; }")) == row.isChanged);
    CHECK((at("int x;", row.baseline, "int y;") != at("int x;", row.current, "int y;")) ==
          row.isChanged);
  }
  CHECK(compiledOut(extracted("#ifdef A\nint a;\n#endif\n#ifdef B\nint b;\n#endif\n")) ==
        compiledOut(extracted("#ifdef B\nint b;\n#endif\n#ifdef A\nint a;\n#endif\n")));
}
