#include "cov/gcov_notes.h"

namespace retest {

namespace {

/// Finds the counts of the arcs without counters: where all others of a block are known, the last
/// one follows. Arcs on the tree have no cycle, so there is always such a block.
class Flow {
public:
  explicit Flow(const GcovFunction &function)
      : function_(function), counts_(function.arcs.size()), unknown_(function.lines.size()),
        surplus_(function.lines.size()), arcsOf_(function.lines.size()) {}

  std::optional<std::vector<std::int64_t>> solve(llvm::ArrayRef<std::uint64_t> counters) {
    for (std::uint32_t i = 0; i < function_.arcs.size(); ++i) {
      const GcovArc &arc = function_.arcs[i];
      arcsOf_[arc.from].push_back(i);
      arcsOf_[arc.to].push_back(i);
      if (arc.isOnTree) {
        ++unknown_[arc.from];
        ++unknown_[arc.to];
        continue;
      }
      set(i, static_cast<std::int64_t>(counters.front()));
      counters = counters.drop_front();
    }
    std::vector<bool> isKnown;
    for (const GcovArc &arc : function_.arcs)
      isKnown.push_back(!arc.isOnTree);
    for (std::uint32_t block = 2; block < unknown_.size(); ++block)
      follow(block, isKnown);
    return countsOfBlocks();
  }

private:
  void set(std::uint32_t arc, std::int64_t count) {
    counts_[arc] = count;
    surplus_[function_.arcs[arc].to] += count;
    surplus_[function_.arcs[arc].from] -= count;
  }

  /// From this block on, as far as one count leads to the next.
  void follow(std::uint32_t block, std::vector<bool> &isKnown) {
    while (block >= 2 && unknown_[block] == 1) {
      std::uint32_t last = 0;
      for (std::uint32_t arc : arcsOf_[block])
        if (!isKnown[arc])
          last = arc;
      const GcovArc &arc = function_.arcs[last];
      isKnown[last] = true;
      --unknown_[arc.from];
      --unknown_[arc.to];
      set(last, arc.from == block ? surplus_[block] : -surplus_[block]);
      block = arc.from == block ? arc.to : arc.from;
    }
  }

  std::optional<std::vector<std::int64_t>> countsOfBlocks() const {
    std::vector<std::int64_t> in(surplus_.size()), out(surplus_.size());
    for (std::uint32_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] < 0)
        return std::nullopt;
      out[function_.arcs[i].from] += counts_[i];
      in[function_.arcs[i].to] += counts_[i];
    }
    for (std::uint32_t block = 2; block < surplus_.size(); ++block)
      if (unknown_[block] != 0 || in[block] != out[block])
        return std::nullopt;
    if (in.size() < 2 || out[0] != in[1])
      return std::nullopt;
    in[0] = out[0];
    return in;
  }

  const GcovFunction &function_;
  std::vector<std::int64_t> counts_;               ///< by arc
  std::vector<unsigned> unknown_;                  ///< by block: arcs whose count is not known yet
  std::vector<std::int64_t> surplus_;              ///< by block: what came in and has not gone out
  std::vector<std::vector<std::uint32_t>> arcsOf_; ///< by block
};

} // namespace

std::optional<std::vector<std::int64_t>> blockCounts(const GcovFunction &function,
                                                     llvm::ArrayRef<std::uint64_t> counters) {
  if (counters.size() != function.counterCount)
    return std::nullopt;
  return Flow(function).solve(counters);
}

} // namespace retest
