#include "report/delta_dot.h"

#include "tests/report/two_versions.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

std::string pictureOf(const TwoVersions &versions, const DeltaDotOptions &options = {}) {
  return written([&](llvm::raw_ostream &out) {
    writeDeltaDot(out, versions.view(), versions.delta, "v1 -> v2", options);
  });
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("delta dot: both graphs, the dangerous edge in red, nodes by counterpart") {
  std::string picture = pictureOf(oneEdit());
  CHECK(contains(picture, "digraph \"v1 -> v2\""));
  CHECK(contains(picture, "label=\"baseline: a.cpp:1\""));
  CHECK(contains(picture, "label=\"current: a.cpp:1\""));
  CHECK(contains(picture, "b0_2 -> b0_3 [label=\"T: code changed at a.cpp:3\", "
                          "tooltip=\"code changed at a.cpp:3\", color=\"#d50000\""));
  CHECK(contains(picture, "c0_2 -> c0_3 [label=\"T\", style=solid, color=\"#2e7d32\""));
  CHECK(contains(picture, "b0_3 [label=\"3 block\\l3: give 1;\\l\", shape=box, "
                          "fillcolor=\"#ffcdd2\", tooltip=\"no counterpart\"]"));
  CHECK(contains(picture, "c0_3 [label=\"3 block\\l3: give 9;\\l\", shape=box, "
                          "fillcolor=\"#c8e6c9\", tooltip=\"no counterpart\"]"));
  CHECK(contains(picture, "b0_2 [label=\"2 block\\l2: x > 0\\l\", shape=box, "
                          "fillcolor=\"#ffffff\", tooltip=\"stands for 2\"]"));
}

TEST_CASE("delta dot: a call that ends up elsewhere, in a function that did not change") {
  const char *rest = "strong bar(A&): in -> virtual A: A::m() ; virtual A: A::m() => out\n"
                     "class A { A::m() }\nstrong A::m(): in -> out\n";
  std::string before = std::string(rest) + "class B : A { }";
  std::string after =
      std::string(rest) + "class B : A { B::m() overrides A::m() }\nstrong B::m(): in -> out";
  std::string picture =
      pictureOf(TwoVersions({{"a.cpp", before.c_str()}}, {{"a.cpp", after.c_str()}}));
  CHECK(contains(picture, "b0_call0 [label=\"A::m()\""));
  CHECK(contains(picture, "b0_2 -> b0_call0 [label=\"B: runs B::m()"));
  CHECK(contains(picture, "tooltip=\"unchanged\""));
  CHECK(!contains(picture, "current: "));
}

TEST_CASE("delta dot: what is too much is cut, and nothing is nothing") {
  DeltaDotOptions options;
  options.maxFunctions = 0;
  CHECK(contains(pictureOf(oneEdit(), options), "1 more functions; name one to see it"));
  options = {};
  options.maxNodes = 3;
  std::string cut = pictureOf(oneEdit(), options);
  CHECK(contains(cut, "b0_rest [label=\"2 more nodes\""));
  CHECK(contains(cut, "b0_2 -> b0_rest ["));
  const char *unit = "strong f(): in -> x ; x -> out";
  CHECK(contains(pictureOf(TwoVersions({{"a.cpp", unit}}, {{"a.cpp", unit}})),
                 "no function changed"));
}
