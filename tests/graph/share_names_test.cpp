#include "graph/share_names.h"

#include "tests/notation/program.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("sharing names: a unit says the same in another table") {
  const char *text =
      "strong f(): in -> virtual A: A::m() ; virtual A: A::m() => use v ; use v -> out\n"
      "class A : B { A::m() overrides B::m() }\nvariable v: f()\n"
      "initialiser internal init: in -> make A ; make A -T-> out\ndoubt unsure";
  Names own;
  UnitGraph graph = unit("a.cpp", text, own);
  graph.functions[0].symbols = {own.intern("_Z1fv")};
  graph.doubts[0].where = {own.intern("a.cpp"), 4, 2};
  graph.externalHeaders = {{own.intern("/ext.h"), fingerprintOf("int e();")}};

  Names shared;
  for (const char *other : {"z", "v", "B::m()", "f()"})
    shared.intern(other);
  UnitGraph expected = unit("a.cpp", text, shared);
  expected.functions[0].symbols = {shared.intern("_Z1fv")};
  expected.doubts[0].where = {shared.intern("a.cpp"), 4, 2};
  expected.externalHeaders = {{shared.intern("/ext.h"), fingerprintOf("int e();")}};
  CHECK(graph != expected);
  shareNames(graph, own, shared);
  CHECK(graph == expected);
}

TEST_CASE("sharing names: uses stay sorted by id") {
  Names own, shared;
  UnitGraph graph = unit("a.cpp", "strong f(): in -> use v ; use v -> out", own);
  std::vector<Use> &uses = graph.functions[0].flow.nodes[2].uses;
  uses.push_back({UseKind::Variable, own.intern("w")});
  shared.intern("w");
  shareNames(graph, own, shared);
  CHECK(llvm::is_sorted(uses));
  CHECK(shared.text(uses[0].entity) == "w");
}
