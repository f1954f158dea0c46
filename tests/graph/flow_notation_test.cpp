#include "tests/notation/flow.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("flow notation: nodes by first mention, edges with labels") {
  Names names;
  FlowGraph graph = flow("in -> x>0 ; x>0 -T-> ret1 ; x>0 -F-> out ; ret1 -> out", names);
  REQUIRE(graph.nodes.size() == 4);
  CHECK(graph.nodes[0].kind == NodeKind::Entry);
  CHECK(graph.nodes[1].kind == NodeKind::Exit);
  CHECK(graph.nodes[2].kind == NodeKind::Block);
  REQUIRE(graph.edges.size() == 4);
  CHECK(graph.edges[1] == FlowEdge{NodeId{2}, NodeId{3}, EdgeKind::Flow, names.find("T")});
  CHECK(graph.edges[2] == FlowEdge{NodeId{2}, NodeId{1}, EdgeKind::Flow, names.find("F")});
}

TEST_CASE("flow notation: a node's text decides its fingerprint, and nothing else does") {
  Names names;
  auto fingerprint = [&](const char *text) { return fingerprintOf(flow(text, names), names); };
  CHECK(fingerprint("in -> a ; a -> out") == fingerprint(" in -> a;a -> out ;"));
  CHECK(fingerprint("in -> a ; a -> out") != fingerprint("in -> b ; b -> out"));
  CHECK(fingerprint("in -> a ; a -T-> out") != fingerprint("in -> a ; a -F-> out"));
}

TEST_CASE("flow notation: calls, uses and exceptions") {
  Names names;
  FlowGraph graph = flow("in -> call f() ; call f() => virtual S: S::m() ; call f() ~> raise ; "
                         "virtual S: S::m() => make C ; make C -> out",
                         names);
  const Node &call = graph.nodes[2];
  CHECK(call.kind == NodeKind::Call);
  CHECK(names.text(call.call.callee) == "f()");
  const Node &virtualCall = graph.nodes[3];
  CHECK(virtualCall.call.kind == CallKind::Virtual);
  CHECK(names.text(virtualCall.call.receiver) == "S");
  CHECK(names.text(virtualCall.call.callee) == "S::m()");
  CHECK(graph.nodes[4].kind == NodeKind::ExceptionalExit);
  CHECK(graph.nodes[5].uses == std::vector<Use>{{UseKind::Constructs, names.find("C")}});
  CHECK(graph.edges[1].kind == EdgeKind::Path);
  CHECK(graph.edges[2].kind == EdgeKind::Exception);
}
