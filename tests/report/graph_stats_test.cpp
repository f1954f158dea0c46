#include "report/graph_stats.h"

#include "tests/report/shapes.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("stats: functions with and without duplicates, nodes and edges by kind") {
  Shapes shapes;
  GraphStats stats = statsOf(shapes.project);
  CHECK(stats.units == 2);
  CHECK(stats.functions == 5);
  CHECK(stats.nodes == 19);
  CHECK(stats.nodesByKind[static_cast<std::size_t>(NodeKind::Call)] == 3);
  CHECK(stats.edges == 16);
  CHECK(stats.edgesByKind == std::array<std::size_t, 3>{12, 3, 1});
  CHECK(stats.virtualCalls == 1);
  CHECK(stats.classes == 3);
  CHECK(stats.externalClasses == 1);
  CHECK(stats.initialisers == 1);

  Names names;
  const char *text = "internal f(): in -> out\nstrong g(): in -> out\ndoubt unsure";
  stats = statsOf(linked({{"a.cpp", text}, {"b.cpp", text}}, "tool = a.cpp b.cpp", names));
  CHECK(stats.functionRows == 4);
  CHECK(stats.functions == 4); // other positions
  CHECK(stats.names == 3);
  CHECK(stats.doubts == 3); // two units, and g() is defined twice
}

TEST_CASE("stats: text and JSON show the same numbers") {
  Shapes shapes;
  GraphStats stats = statsOf(shapes.project);
  std::string text = written([&](llvm::raw_ostream &out) { writeStatsText(out, stats); });
  CHECK(text.find("units                                2\n") == 0);
  CHECK(text.find("\n  exception edges                    1\n") != std::string::npos);
  std::string json = written([&](llvm::raw_ostream &out) {
    llvm::json::OStream stream(out);
    writeStatsJson(stream, stats);
  });
  auto value = llvm::json::parse(json);
  REQUIRE(bool(value));
  CHECK(value->getAsObject()->getInteger("call_nodes") == 3);
  CHECK(value->getAsObject()->getInteger("exception_edges") == 1);
  CHECK(value->getAsObject()->getInteger("elements") == 8);
}
