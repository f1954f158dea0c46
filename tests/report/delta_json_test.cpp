#include "report/delta_json.h"

#include "tests/report/document_fields.h"
#include "tests/report/two_versions.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

std::string jsonOf(const TwoVersions &versions, const Delta &delta) {
  return written([&](llvm::raw_ostream &out) {
    writeDeltaJson(out, versions.view(), delta, Granularity::Edges,
                   {"v1", "0123abc", "2025-01-31T12:00:00Z"}, {"work tree", "", ""});
  });
}

/// A delta in which nothing is left out.
Delta fullDelta(TwoVersions &versions) {
  Delta delta = versions.delta; // has a flow edge with both nodes, and a changed function
  FunctionId f = function(versions.baseline, "f()", versions.names);
  for (auto [project, id] : {std::pair(&versions.baseline, f.value), {&versions.current, 0u}}) {
    Function version = project->functions[id];
    version.symbols = {versions.names.intern("_Z1fv")};
    project->functions.replace(id, version);
  }
  Reason reason = delta.edges.front().reason;
  reason.entity = versions.names.intern("C");
  delta.edges.front().reason = reason;
  delta.edges.push_back({f, EdgePlace::Entry, 0, {}, {}, reason, {}});
  delta.edges.push_back({f, EdgePlace::Call, 0, {2}, {}, reason, {}});
  delta.edges.push_back({f, EdgePlace::VirtualCall, 0, {2}, reason.entity, reason, {0}});
  Reason plain{ChangeKind::Override, reason.entity, reason.where, false, {}, {}};
  delta.classEntries = {{reason.entity, {}, plain, {0}}};
  delta.programs = {{0, plain}};
  delta.doubts = {{"not known", reason.where}};
  return delta;
}

} // namespace

TEST_CASE("delta json: each field is in the manual, and each field of the manual is written") {
  TwoVersions versions = oneEdit();
  Fields fields = fieldsOf(jsonOf(versions, fullDelta(versions)));
  Fields inManual = documentedFields("diff.md");
  CHECK(onlyIn(fields, inManual) == "");
  CHECK(onlyIn(inManual, fields) == "");
}

TEST_CASE("delta json: an edge with its ends, its reason and its programs") {
  TwoVersions versions = oneEdit();
  auto document = llvm::json::parse(jsonOf(versions, versions.delta));
  REQUIRE(bool(document));
  const llvm::json::Object &top = *document->getAsObject();
  CHECK(top.getInteger("schema_version") == 1);
  CHECK(top.getObject("baseline")->getString("commit") == "0123abc");
  CHECK(top.getObject("current")->getString("name") == "work tree");
  REQUIRE(top.getArray("edges")->size() == 1);
  const llvm::json::Object &edge = *(*top.getArray("edges"))[0].getAsObject();
  CHECK(edge.getString("function") == "f()");
  CHECK(edge.getString("unit") == "a.cpp");
  CHECK(edge.getString("place") == "flow");
  CHECK(edge.getString("label") == "T");
  CHECK(edge.getObject("from")->getString("text") == "x > 0");
  CHECK(edge.getObject("to")->getString("text") == "give 1;");
  CHECK(edge.getObject("to")->getInteger("line") == 3);
  const llvm::json::Object &reason = *edge.getObject("reason");
  CHECK(reason.getString("kind") == "statement");
  CHECK(reason.getString("text") == "code changed at a.cpp:3");
  CHECK(reason.getString("path") == "a.cpp");
  CHECK(reason.getInteger("line") == 3);
  CHECK(reason.getBoolean("in_baseline") == false);
  REQUIRE(edge.getArray("programs")->size() == 1);
  CHECK((*edge.getArray("programs"))[0].getAsString() == "all");
  const llvm::json::Object &counts = *top.getObject("counts");
  CHECK(counts.getInteger("functions_changed") == 1);
  CHECK(counts.getInteger("dangerous_edges") == 1);
  CHECK(counts.getInteger("baseline_functions") == 1);
  CHECK(counts.getInteger("baseline_edges") == 5);
}

TEST_CASE("delta json: the order of names in memory does not show") {
  auto document = [](bool isReversed) {
    const char *first = "strong one(A&): in -> virtual A: A::m() ; virtual A: A::m() => out\n";
    std::string rest = "class A { A::m() }\nstrong A::m(): in -> out\n";
    std::string before = first + rest + "class B : A { }\nclass C : A { }";
    std::string after = first + rest +
                        "class B : A { B::m() overrides A::m() }\nstrong B::m(): in -> out\n"
                        "class C : A { C::m() overrides A::m() }\nstrong C::m(): in -> out";
    TwoVersions versions({}, {});
    for (const char *name : {"B", "C"})
      versions.names.intern(isReversed ? (name[0] == 'B' ? "C" : "B") : name);
    versions.baseline = linked({{"a.cpp", before.c_str()}}, "", versions.names);
    versions.current = linked({{"a.cpp", after.c_str()}}, "", versions.names);
    return jsonOf(versions,
                  inTextOrder(compare(versions.baseline, versions.current, versions.names),
                              versions.baseline, versions.current, versions.names));
  };
  CHECK(document(false).find("\"label\": \"C\"") != std::string::npos);
  CHECK(document(false) == document(true));
}
