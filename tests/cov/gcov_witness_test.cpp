#include "cov/gcov_witness.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace retest;

namespace {

/// A flow graph with one line for each node from the third on; 0: it has no elements.
struct Lined {
  Names names;
  NameId file = names.intern("a.cpp");
  FlowGraph flow;
  GcovFunction function;

  explicit Lined(const std::vector<std::uint32_t> &lines) {
    flow.nodes.resize(2);
    flow.nodes[0].kind = NodeKind::Entry;
    flow.nodes[1].kind = NodeKind::Exit;
    for (std::uint32_t line : lines) {
      Node node;
      if (line != 0)
        node.elements.push_back({1, {{file, line, 1}, {file, line, 2}}});
      flow.nodes.push_back(node);
    }
  }

  void edge(std::uint32_t from, std::uint32_t to) {
    flow.edges.push_back({{from}, {to}, EdgeKind::Flow, names.intern("")});
  }

  /// A block of GCC's on a line.
  void block(std::uint32_t line) {
    function.lines.resize(std::max<std::size_t>(function.lines.size(), 2));
    function.lines.push_back({{0, line}});
  }

  /// By node from the third on: the blocks it is tied to.
  std::string show() {
    FlowWitness witness = gcovWitness(flow, function, file, names);
    std::vector<std::string> nodes;
    for (const RegionList &blocks : llvm::ArrayRef(witness.nodes).drop_front(2))
      nodes.push_back(blocks.empty() ? "-" : fmt::format("{}", fmt::join(blocks, "+")));
    return fmt::format("{}", fmt::join(nodes, " "));
  }
};

} // namespace

TEST_CASE("lines: each node on its own") {
  // if (c)     1
  //   f();     2
  // g();       3
  Lined code({1, 2, 3});
  code.edge(0, 2);
  code.edge(2, 3);
  code.edge(2, 4);
  code.edge(3, 4);
  code.edge(4, 1);
  for (std::uint32_t line : {1, 2, 3, 3})
    code.block(line);
  CHECK(code.show() == "2 3 4+5");
}

TEST_CASE("lines: a node without code is not tied to a stranger on its line") {
  // switch (n) {                                  1
  // case 1: 5; break; case 2: f(); break;         2
  // }
  Lined code({1, 2, 2});
  code.edge(0, 2);
  code.edge(2, 3);
  code.edge(2, 4);
  code.edge(3, 1);
  code.edge(4, 1);
  code.block(1);
  code.block(2); // f()
  CHECK(code.show() == "2 - -");
}

TEST_CASE("lines: whoever is on the line passed its condition") {
  // return c ? f() : g();
  Lined code({1, 1, 1});
  code.edge(0, 2);
  code.edge(2, 3);
  code.edge(2, 4);
  code.edge(3, 1);
  code.edge(4, 1);
  for (int i = 0; i < 3; ++i)
    code.block(1);
  CHECK(code.show() == "2+3+4 2+3+4 2+3+4");
}

TEST_CASE("lines: what GCC has no code for, and what has no place") {
  Lined code({7, 0});
  code.edge(0, 2);
  code.edge(2, 3);
  code.edge(3, 1);
  code.block(8);
  CHECK(code.show() == "- -");
}
