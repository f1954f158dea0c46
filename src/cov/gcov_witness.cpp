#include "cov/gcov_witness.h"

#include <llvm/ADT/STLExtras.h>

#include <map>
#include <set>

namespace retest {

namespace {

using Line = std::pair<std::uint32_t, std::uint32_t>; ///< file (a NameId) and line
using Lines = std::set<Line>;

bool isWayOn(const FlowEdge &edge) { return edge.kind != EdgeKind::Exception; }

class LineWitness {
public:
  LineWitness(const FlowGraph &flow, const GcovFunction &function, llvm::ArrayRef<NameId> files,
              const Names &names)
      : flow_(flow), lines_(flow.nodes.size()), waysOn_(flow.nodes.size()),
        waysIn_(flow.nodes.size()) {
    for (std::uint32_t block = 0; block < function.lines.size(); ++block)
      for (const GcovLine &line : function.lines[block])
        if (files[line.file].isValid())
          blocksAt_[{files[line.file].value, line.line}].insert(block);
    for (std::uint32_t node = 0; node < flow.nodes.size(); ++node) {
      lines_[node] = linesOf(flow.nodes[node], names);
      for (const Line &line : lines_[node])
        nodesAt_[line].insert(node);
    }
    for (const FlowEdge &edge : flow.edges) {
      waysIn_[edge.to.value].push_back(edge.from.value);
      if (isWayOn(edge))
        waysOn_[edge.from.value].push_back(edge.to.value);
    }
  }

  FlowWitness find() const {
    FlowWitness witness;
    witness.edges.resize(flow_.edges.size());
    for (std::uint32_t node = 0; node < flow_.nodes.size(); ++node)
      witness.nodes.push_back(isTied(node) ? blocksOf(node) : RegionList());
    return witness;
  }

private:
  /// All that its elements stand on. Nodes of exceptions are elsewhere than their places say;
  /// and of macros GCC knows one line only.
  static Lines linesOf(const Node &node, const Names &names) {
    Lines lines;
    if (node.isInMacro || (node.kind != NodeKind::Block && node.kind != NodeKind::Call))
      return lines;
    bool isDestruction =
        node.kind == NodeKind::Call && names.text(node.call.callee).contains("::~");
    for (const Element &element :
         llvm::ArrayRef(node.elements).drop_back(isDestruction && !node.elements.empty())) {
      const SourcePosition &begin = element.where.begin, &end = element.where.end;
      if (!begin.isKnown())
        continue;
      std::uint32_t last = end.file == begin.file ? std::max(begin.line, end.line) : begin.line;
      for (std::uint32_t line = begin.line; line <= last; ++line)
        lines.insert({begin.file.value, line});
    }
    return lines;
  }

  RegionList blocksOf(std::uint32_t node) const {
    std::set<std::uint32_t> blocks;
    for (const Line &line : lines_[node])
      if (auto found = blocksAt_.find(line); found != blocksAt_.end())
        blocks.insert(found->second.begin(), found->second.end());
    return RegionList(blocks.begin(), blocks.end());
  }

  /// The nodes that run whenever this one does, as far as there is only one way.
  std::set<std::uint32_t> companionsOf(std::uint32_t node) const {
    std::set<std::uint32_t> companions = {node};
    for (const auto *ways : {&waysOn_, &waysIn_})
      for (std::uint32_t next = node; (*ways)[next].size() == 1;) {
        next = (*ways)[next].front();
        if (!companions.insert(next).second)
          break;
      }
    return companions;
  }

  /// Whether what is on the lines of the node tells of the node.
  bool isTied(std::uint32_t node) const {
    std::set<std::uint32_t> companions = companionsOf(node);
    bool hasStrangers = false, hasBranch = false;
    for (const Line &line : lines_[node])
      for (std::uint32_t other : nodesAt_.at(line)) {
        hasStrangers |= !companions.count(other);
        // Where control parts there is code.
        hasBranch |= companions.count(other) && waysOn_[other].size() > 1;
      }
    return !hasStrangers || hasBranch;
  }

  const FlowGraph &flow_;
  std::vector<Lines> lines_; ///< by node
  std::vector<std::vector<std::uint32_t>> waysOn_, waysIn_;
  std::map<Line, std::set<std::uint32_t>> blocksAt_, nodesAt_;
};

} // namespace

FlowWitness gcovWitness(const FlowGraph &flow, const GcovFunction &function,
                        llvm::ArrayRef<NameId> files, const Names &names) {
  return LineWitness(flow, function, files, names).find();
}

FlowWitness exactPart(const FlowWitness &witness) {
  std::map<std::uint32_t, unsigned> uses; // by block
  for (const RegionList &blocks : witness.nodes)
    for (std::uint32_t block : blocks)
      ++uses[block];
  FlowWitness exact = witness;
  for (RegionList &blocks : exact.nodes)
    if (llvm::any_of(blocks, [&](std::uint32_t block) { return uses[block] > 1; }))
      blocks.clear();
  return exact;
}

} // namespace retest
