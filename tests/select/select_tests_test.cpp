#include "select/select_tests.h"

#include "tests/cov/recorded_by_hand.h"

#include <doctest/doctest.h>
#include <llvm/ADT/STLExtras.h>

using namespace retest;

namespace {

/// A dangerous thing as text, the last word maybe the program to which it is limited:
///
///     f()            every call           f() #1         edge 1
///     f() call 2     the call in node 2   f() on 2 C     the virtual call in node 2, receivers of
///     C class C m()    external code calls  class C *      its default edge program tool   every
///     run            ... in tool    only there
void addDanger(llvm::StringRef text, const RecordedByHand &recorded, Delta &delta,
               ChangeKind kind = ChangeKind::Statement) {
  std::vector<std::uint32_t> programs;
  auto programNamed = [&](llvm::StringRef name) {
    for (std::uint32_t i = 0; i < recorded.project.programs.size(); ++i)
      if (recorded.names.text(recorded.project.programs[i].name) == name)
        return i;
    FAIL("no such program");
    return 0u;
  };
  if (auto [rest, program] = text.split(" in "); !program.empty()) {
    programs.push_back(programNamed(program));
    text = rest;
  }
  Reason reason;
  reason.kind = kind;
  if (text.consume_front("program "))
    return void(delta.programs.push_back({programNamed(text), reason}));
  if (text.consume_front("class ")) {
    auto [type, method] = text.split(' ');
    delta.classEntries.push_back({recorded.names.find(type),
                                  method == "*" ? NameId{} : recorded.names.find(method), reason,
                                  programs});
    return;
  }
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ');
  DangerousEdge edge;
  edge.function = function(recorded.project, words[0], recorded.names);
  edge.reason = reason;
  edge.programs = programs;
  std::uint32_t number = 0;
  if (words.size() > 1 && words[1].consume_front("#")) {
    edge.place = EdgePlace::Flow;
    words[1].getAsInteger(10, edge.edge);
  } else if (words.size() > 2) {
    words[2].getAsInteger(10, number);
    edge.node = {number};
    edge.place = words[1] == "on" ? EdgePlace::VirtualCall : EdgePlace::Call;
    if (words[1] == "on")
      edge.receiver = recorded.names.find(words[3]);
  }
  delta.edges.push_back(edge);
}

WitnessRows rowsOf(const RecordedByHand &recorded, const Delta &delta) {
  WantedRows wanted = wantedRows(delta, recorded.project, recorded.names);
  WitnessRows rows = llvm::cantFail(rowsFor(wanted, recorded.project, recorded.names,
                                            recorded.matrix.units, recorded.matrix.constructed));
  for (CoverageClassId id : classesOf(rows))
    rows.classes[id] = recorded.matrix.classes[id.value];
  return rows;
}

/// The names of the tests that are not skipped: "a b"; "-" for none.
std::string selected(const RecordedByHand &recorded, const Selection &selection) {
  std::string text;
  for (std::size_t i = 0; i < selection.tests.size(); ++i)
    if (selection.tests[i].verdict != Verdict::Skipped)
      text += (text.empty() ? "" : " ") + recorded.matrix.tests[i].name;
  return text.empty() ? "-" : text;
}

std::string selectedBy(const RecordedByHand &recorded, llvm::StringRef danger) {
  Delta delta;
  addDanger(danger, recorded, delta);
  WitnessRows rows = rowsOf(recorded, delta);
  return selected(recorded, selectTests({delta, recorded.project, recorded.names,
                                         recorded.matrix.tests, rows}));
}

/// Edges 0 in -> x, 1 x -T-> t, 2 x -F-> out, 3 t -> out.
constexpr const char *kBranch = "strong f(): in -> x ; x -T-> t ; t -> out ; x -F-> out\n";

} // namespace

TEST_CASE("selection: a row for each kind of edge") {
  RecordedByHand recorded(
      {{"a.cpp", (std::string(kBranch) +
                  "external class A { A::m(); A::n() }\n"
                  "class B : A { B::m() overrides A::m() }\n"
                  "class C : B { C::n() overrides A::n() }\n"
                  "strong g(): in -> make B ; make B -> call f() ; call f() => virtual A: A::m() ; "
                  "virtual A: A::m() => out\n"
                  "strong h(): in -> make C ; make C -> out\n"
                  "external e(): in -> virtual A: A::m() ; virtual A: A::m() => out\n"
                  "strong B::m(): in -> out\n"
                  "strong C::n(): in -> out")
                     .c_str()}},
      "tool = a.cpp ; other = a.cpp",
      "other::o: f()#0 + f()#1 + f()#3\n"
      "tool::enters: f()\n"
      "tool::left: f()#0 + f()#1 + f()#3\n"
      "tool::makesB: g()* + f()#0 + f()#2 + B::m()*\n"
      "tool::makesC: h()* + C::n()*\n"
      "tool::makesCAndNoMore: h()*\n"
      "tool::nothing: h()\n");
  for (RecordedTest &test : recorded.matrix.tests)
    test.status = TestStatus::Passed;
  struct Row {
    const char *danger, *selected;
  };
  const Row rows[] = {
      {"f()", "o enters left makesB"},
      {"f() #0", "o left makesB"},
      {"f() #1", "o left"},
      {"f() #1 in tool", "left"},
      {"f() #2", "makesB"},
      {"g() call 3", "makesB"},
      {"g() on 4 B", "makesB"},
      {"g() on 4 C", "-"},                      // who comes there makes no C
      {"e() on 2 C", "makesC makesCAndNoMore"}, // no probes: the class alone (rule 8)
      {"class C A::n()", "makesC"},
      {"class B A::m()", "makesB"},
      {"class B *", "makesB"},
      {"class C *", "makesC makesCAndNoMore"},
      {"program other", "o"},
      {"program tool", "enters left makesB makesC makesCAndNoMore nothing"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.danger);
    CHECK(selectedBy(recorded, row.danger) == row.selected);
  }
}

TEST_CASE("selection: what speaks for a test beside edges") {
  RecordedByHand recorded({{"a.cpp", kBranch}}, "tool = a.cpp",
                          "tool::affected: f()#0 + f()#1\n"
                          "tool::always: f()\n"
                          "tool::data: f()\n"
                          "tool::doubt: f()#0 + f()#2\n"
                          "tool::failed: f()\n"
                          "tool::quarantined: f()\n"
                          "tool::readsWritten: f()\n"
                          "tool::resettled: f()\n"
                          "tool::skipped: f()\n"
                          "tool::thenReads: f()\n"
                          "tool::triggered: f()\n"
                          "tool::unmeasured! f()*\n");
  auto id = [&](llvm::StringRef name) {
    for (std::uint32_t i = 0; i < recorded.matrix.tests.size(); ++i)
      if (recorded.matrix.tests[i].name == name)
        return TestId{i};
    FAIL("no such test");
    return TestId{};
  };
  for (RecordedTest &test : recorded.matrix.tests)
    test.status = test.name == "failed" ? TestStatus::Failed : TestStatus::Passed;
  Delta delta;
  addDanger("f() #1", recorded, delta);
  addDanger("f() #2", recorded, delta, ChangeKind::CompiledOut);
  addDanger("f() #3", recorded, delta);
  WitnessRows rows = rowsOf(recorded, delta);
  SelectInput input{delta, recorded.project, recorded.names, recorded.matrix.tests, rows};
  input.files = {{FileUseKind::Read, "data.txt", {id("data")}}};
  input.sharedFiles = {{"a.out", {id("affected")}, {id("readsWritten"), id("affected")}},
                       {"b.out", {id("readsWritten")}, {id("thenReads")}},
                       {"c.out", {id("skipped")}, {id("skipped"), id("always")}}};
  input.resettled = {id("resettled")};
  input.always = {id("always"), id("affected")};
  input.triggered = {{"notes.md", "retest.toml:3:1", "", {id("triggered")}}};
  input.quarantined = {id("quarantined")};
  Selection selection = selectTests(input);
  auto verdict = [&](llvm::StringRef name) { return selection.tests[id(name).value].verdict; };
  auto reasons = [&](llvm::StringRef name) { return selection.tests[id(name).value].reasons; };
  using Reasons = std::vector<TestReason>;
  CHECK(verdict("affected") == Verdict::Affected);
  CHECK(reasons("affected") == Reasons{{TestReasonKind::Edge, 0}, {TestReasonKind::Always, 0}});
  CHECK(verdict("always") == Verdict::Always);
  CHECK(reasons("data") == Reasons{{TestReasonKind::File, 0}});
  CHECK(verdict("doubt") == Verdict::Doubt);
  CHECK(reasons("doubt") == Reasons{{TestReasonKind::Edge, 1}});
  CHECK(verdict("failed") == Verdict::Failed);
  CHECK(reasons("readsWritten") == Reasons{{TestReasonKind::Writer, id("affected").value}});
  CHECK(reasons("thenReads") == Reasons{{TestReasonKind::Writer, id("readsWritten").value}});
  CHECK(reasons("resettled") == Reasons{{TestReasonKind::Settings, 0}});
  CHECK(verdict("quarantined") == Verdict::Always);
  CHECK(reasons("quarantined") == Reasons{{TestReasonKind::Quarantine, 0}});
  CHECK(verdict("triggered") == Verdict::Affected);
  CHECK(reasons("triggered") == Reasons{{TestReasonKind::Trigger, 0}});
  CHECK(verdict("skipped") == Verdict::Skipped);
  CHECK(reasons("skipped") == Reasons{});
  CHECK(verdict("unmeasured") == Verdict::Unmeasured);
  CHECK(selection.uncovered == std::vector<std::uint32_t>{2}); // nobody crossed edge 3
}
