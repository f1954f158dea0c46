#include "report/delta_text.h"

#include "tests/report/two_versions.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

std::string textOf(const TwoVersions &versions, const DeltaTextStyle &style = {},
                   Granularity granularity = Granularity::Edges) {
  Delta delta =
      coarsened(versions.delta, versions.baseline, versions.current, versions.names, granularity);
  return written([&](llvm::raw_ostream &out) {
    writeDeltaText(out, versions.view(), delta, granularity, "nothing changed", style);
  });
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// Functions f0() to f<count - 1>(), the first `edited` of them edited.
TwoVersions manyEdits(unsigned count, unsigned edited) {
  std::string before, after;
  for (unsigned i = 0; i < count; ++i) {
    before += fmt::format("strong f{}(): in -> x ; x -> out\n", i);
    after += fmt::format("strong f{}(): in -> {} ; {} -> out\n", i, i < edited ? "y" : "x",
                         i < edited ? "y" : "x");
  }
  return TwoVersions({{"a.cpp", before.c_str()}}, {{"a.cpp", after.c_str()}});
}

} // namespace

TEST_CASE("delta text: an edge, its reason and the source, one version below the other") {
  CHECK(textOf(oneEdit()) == R"(a.cpp
  f()  line 1
    x > 0 -T-> give 1;  (code changed at a.cpp:3)
           2   x > 0
    -*     3   give 1;
    +      3   give 9;
           4   give 2;

1 function changed, 1 dangerous edge in 1 function
)");
}

TEST_CASE("delta text: side by side where there is room") {
  std::string text = textOf(oneEdit(), {.width = 100});
  auto row = [](const std::string &left, const char *sign, const std::string &right) {
    return fmt::format("    {:<46} {} {}\n", left, sign, right);
  };
  CHECK(contains(text, row("        baseline", " ", "        current") +
                           row("      2   x > 0", " ", "      2   x > 0") +
                           row("*     3   give 1;", "|", "      3   give 9;") +
                           row("      4   give 2;", " ", "      4   give 2;")));
  for (llvm::StringRef line : llvm::split(text, '\n'))
    CHECK(line.size() <= 100);
}

TEST_CASE("delta text: colours only where they are wanted") {
  CHECK(!contains(textOf(oneEdit()), "\033"));
  std::string text = textOf(oneEdit(), {.colour = true});
  CHECK(contains(text, "\033[1;31mx > 0 -T-> give 1;\033[0m"));
  CHECK(contains(text, "\033[32m+      3   give 9;\033[0m"));
}

TEST_CASE("delta text: a baseline whose source is gone") {
  TwoVersions versions = oneEdit();
  versions.before.clear();
  std::string text = textOf(versions);
  CHECK(contains(text, "line 2 -T-> line 3  (code changed at a.cpp:3)\n"
                       "    (the source of the baseline is not at hand)\n"
                       "           2   x > 0\n"
                       "           3   give 9;\n"
                       "           4   give 2;\n"));
}

TEST_CASE("delta text: nothing changed is one line") {
  const char *unit = "strong f(): in -> x ; x -> out";
  CHECK(textOf(TwoVersions({{"a.cpp", unit}}, {{"a.cpp", unit}})) == "nothing changed\n");
}

TEST_CASE("delta text: what came, went and moved") {
  TwoVersions versions({{"a.cpp", "strong f(): in -> x ; x -> out\nstrong gone(): in -> out\n"
                                  "strong still(): in -> out"},
                        {"b.cpp", "strong h(): in -> out"}},
                       {{"a.cpp", "strong still(): in -> out\nstrong here(): in -> out"},
                        {"b.cpp", "strong h(): in -> out\nstrong f(): in -> x ; x -> out"},
                        {"c.cpp", "strong other(): in -> out"}});
  CHECK(textOf(versions) == R"(Functions added
  here()  a.cpp:11
  other()  c.cpp:1

Functions removed
  gone()  a.cpp:11

Functions moved
  f()  a.cpp:1 -> b.cpp:11

Units added
  c.cpp

2 functions added, 1 removed, 1 moved, nothing dangerous
)");
}

TEST_CASE("delta text: calls that end up elsewhere, external code, whole programs") {
  const char *rest = "strong bar(A&): in -> virtual A: A::m() ; virtual A: A::m() => out\n"
                     "external class A { A::m() }\n"
                     "class C : B { C::m() overrides A::m() }\n"
                     "strong C::m(): in -> out\n";
  std::string before = std::string(rest) + "class B : A { }";
  std::string after = std::string(rest) +
                      "class B : A { B::m() overrides A::m() }\nstrong B::m(): in -> out\n"
                      "initialiser (a): in -> call x (initialiser) ; call x (initialiser) => "
                      "out";
  std::string text = textOf(TwoVersions({{"a.cpp", before.c_str()}}, {{"a.cpp", after.c_str()}}));
  CHECK(contains(text, "a.cpp\n  bar(A&)  line 1\n    call A::m() -B-> A::m()  (runs B::m()"));
  CHECK(contains(text, "Calls from external code\n  external code -B-> *  (runs B::m()"));
  CHECK(
      contains(text, "Every run of a program\n  all  (static initialisation of a.cpp changed)\n"));
  CHECK(contains(text, ", 1 dangerous edge in 1 function, 1 dangerous class entry, 1 program "
                       "dangerous as a whole\n"));
}

TEST_CASE("delta text: a thousand edits are cut, and -v shows them all") {
  TwoVersions versions = manyEdits(1000, 1000);
  std::string text = textOf(versions);
  CHECK(llvm::StringRef(text).count('\n') < 150);
  CHECK(contains(text, "  f0()  line 1\n    entry -> line 2  (code changed at a.cpp:2)\n"));
  CHECK(contains(text, "  f59()  line 591  (code changed at a.cpp:592)\n"));
  CHECK(contains(text, "... and 940 more (-v or --format json shows all)\n"));
  CHECK(contains(text, "1000 functions changed, 1000 dangerous edges in 1000 functions\n"));
  std::string all = textOf(versions, {.showsAll = true});
  CHECK(contains(all, "  f999()  line 9991\n"));
  CHECK(!contains(all, "more ("));
}

TEST_CASE("delta text: by function and by file, one line each") {
  TwoVersions versions = manyEdits(3, 1);
  CHECK(textOf(versions, {}, Granularity::Functions) ==
        "a.cpp\n  f0()  line 1  (code changed at a.cpp:2)\n\n"
        "1 function changed, 1 dangerous edge in 1 function\n");
  CHECK(textOf(versions, {}, Granularity::Files) ==
        "a.cpp\n  f0()  line 1  (code changed at a.cpp:2)\n"
        "  f1()  line 11  (code changed at a.cpp:2)\n"
        "  f2()  line 21  (code changed at a.cpp:2)\n\n"
        "1 function changed, 3 dangerous edges in 3 functions\n");
}
