// What decides whether a unit must be parsed again, and what happens to odd commands.
#include "tests/notation/extracted.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace retest;

namespace {

bool reads(const ExtractedUnit &unit, const std::string &path) {
  return std::any_of(unit.record.inputs.begin(), unit.record.inputs.end(),
                     [&](const FileInput &input) { return input.path == path; });
}

bool misses(const ExtractedUnit &unit, const std::string &path) {
  return std::count(unit.record.missed.begin(), unit.record.missed.end(), path) == 1;
}

} // namespace

TEST_CASE("inputs: every file that is read, by a name that does not depend on the checkout") {
  SourceOptions options;
  options.flags = {"-Iinclude"};
  options.headers = {{"include/a.h", "#include \"b.h\"\n"}, {"include/b.h", "\n"}, {"c.h", ""}};
  auto unit = extracted("#include <a.h>\n", options);
  CHECK(reads(unit, "unit.cpp"));
  CHECK(reads(unit, "include/a.h"));
  CHECK(reads(unit, "include/b.h"));
  CHECK(!reads(unit, "c.h"));
}

TEST_CASE("inputs: the places where a header was looked for in vain") {
  SourceOptions options;
  options.flags = {"-Ifirst", "-Isecond", "-Inowhere"};
  options.headers = {{"first/other.h", ""}, {"second/a.h", ""}};
  auto unit = extracted("#include <a.h>\n#if __has_include(<gone.h>)\n#endif\n"
                        "#if __has_include(\"first/other.h\")\n#endif\n",
                        options);
  CHECK(misses(unit, "first/a.h"));
  CHECK(misses(unit, "first/gone.h"));
  CHECK(misses(unit, "second/gone.h"));
  CHECK(misses(unit, "nowhere"));
  CHECK(misses(unit, "first/")); // a directory: no file there
  // Asked for and there, though never read.
  CHECK(reads(unit, "first/other.h"));
}

TEST_CASE("inputs: a profile that the optimiser is to use, though parsing does not need it") {
  SourceOptions options;
  options.flags = {"-fprofile-use=app.profdata", "-fprofile-dir=run"};
  auto unit = extracted("int f() { return 1; }\n", options);
  CHECK(misses(unit, "app.profdata"));
  CHECK(!misses(unit, "run")); // is written, not read
  options.flags = {"-fprofile-use=pgo"};
  options.headers = {{"pgo/default.profdata", "1"}};
  auto other = extracted("int f() { return 1; }\n", options);
  CHECK(reads(other, "pgo/default.profdata"));
}

TEST_CASE("commands: flags that only GCC knows are dropped and told") {
  SourceOptions options;
  options.flags = {"-std=c++20",        "-fconcepts-diagnostics-depth=3",
                   "-fno-gnu-unique",   "-Werror",
                   "-Wno-such-warning", "-Wpedantic",
                   "-mno-such-thing"};
  auto unit = extracted("int f(int unused) { int x; return 1; }\n", options);
  CHECK(functionNames(unit).size() == 1);
  CHECK(std::count(unit.droppedFlags.begin(), unit.droppedFlags.end(),
                   "-fconcepts-diagnostics-depth=3") == 1);
}

TEST_CASE("commands: a precompiled header is read as what it was made from") {
  SourceOptions options;
  options.headers = {{"pch.h", "inline int fromHeader() { return 1; }\n"},
                     {"pch.h.pch", "made by another compiler"},
                     {"pch.h.gch", "made by GCC"}};
  options.flags = {"-Xclang", "-include-pch", "-Xclang", "pch.h.pch",
                   "-Xclang", "-include",     "-Xclang", "pch.h"};
  CHECK(functionNames(extracted("int f() { return fromHeader(); }\n", options)).size() == 2);
  options.flags = {"-include", "pch.h"};
  CHECK(functionNames(extracted("int f() { return fromHeader(); }\n", options)).size() == 2);
}

TEST_CASE("commands: macros and standards decide what is read") {
  SourceOptions options;
  options.flags = {"-DVALUE=1"};
  std::string one = meaningOf("int f() { return VALUE; }\n", options);
  options.flags = {"-DVALUE=2"};
  CHECK(meaningOf("int f() { return VALUE; }\n", options) != one);
}

TEST_CASE("commands: C units") {
  SourceOptions options;
  options.file = "unit.c";
  options.compiler = "clang-19";
  options.flags = {"-std=c11"};
  auto unit = extracted("struct point { int x, y; };\n"
                        "static int twice(int n) { return 2 * n; }\n"
                        "int f(struct point *p) { int a[p->x]; return twice(sizeof a); }\n"
                        "int table[] = {[1] = 5};\n",
                        options);
  CHECK(functionNames(unit) == std::vector<std::string>{"f", "twice"});
  CHECK(functionNamed(unit, "twice").linkage == Linkage::Internal);
  CHECK(unit.record.graph.classes.size() == 1);
  CHECK(!variableNamed(unit, "table").hasDynamicInitialiser);
}

TEST_CASE("commands: a program that computes with the length of __FILE__ still parses") {
  auto unit = extracted("static_assert(sizeof(__FILE__) > 12);\nint f() { return 1; }\n");
  CHECK(functionNames(unit).size() == 1);
}
