#include "cov/region_finder.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

using llvm::coverage::CounterMappingRegion;

namespace {

using Place = std::pair<unsigned, unsigned>; ///< line and column

Place startOf(const CounterMappingRegion &region) { return {region.LineStart, region.ColumnStart}; }

/// Behind the last character.
Place endOf(const CounterMappingRegion &region) { return {region.LineEnd, region.ColumnEnd}; }

bool contains(const CounterMappingRegion &region, Place place) {
  return startOf(region) <= place && place < endOf(region);
}

/// The compiler knows the value of the condition: it counts neither side.
bool isFolded(const CounterMappingRegion &region) {
  return isBranch(region) && region.Count.isZero() && region.FalseCount.isZero();
}

bool isLarger(const CounterMappingRegion &outer, const CounterMappingRegion &inner) {
  return startOf(outer) <= startOf(inner) && endOf(inner) <= endOf(outer) &&
         (startOf(outer) != startOf(inner) || endOf(inner) != endOf(outer));
}

} // namespace

RegionFinder::RegionFinder(const CountedFunction &function, const Names &names, FileNamer nameOf)
    : function_(function) {
  for (const std::string &file : function.files)
    files_.push_back(names.find(nameOf(file)));
  for (std::uint32_t i = 0; i < function.regions.size(); ++i) {
    const CounterMappingRegion &region = function.regions[i];
    if (region.Kind == CounterMappingRegion::CodeRegion)
      code_.push_back(i);
    if (isBranch(region))
      branches_.push_back(i);
    if (isFolded(region))
      folded_.push_back(&region);
  }
  llvm::sort(code_, [&](std::uint32_t a, std::uint32_t b) {
    const CounterMappingRegion &left = function.regions[a], &right = function.regions[b];
    return std::tuple(left.FileID, startOf(left), endOf(right), b) <
           std::tuple(right.FileID, startOf(right), endOf(left), a);
  });
  llvm::sort(branches_, [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(startOf(function.regions[a]), a) < std::pair(startOf(function.regions[b]), b);
  });
}

RegionList RegionFinder::innermost(Point point) const {
  Place place{point.line, point.column};
  auto isEvaluated = [&](const CounterMappingRegion &region) {
    return llvm::any_of(folded_, [&](const CounterMappingRegion *folded) {
      return folded->FileID == point.file && contains(*folded, place) && !isLarger(region, *folded);
    });
  };
  auto behind = llvm::partition_point(code_, [&](std::uint32_t i) {
    const CounterMappingRegion &region = function_.regions[i];
    return std::pair(region.FileID, startOf(region)) <= std::pair(point.file, place);
  });
  // Backwards: the one that starts last comes first, and of those the one that ends first.
  RegionList best;
  for (std::uint32_t i : llvm::reverse(llvm::make_range(code_.begin(), behind))) {
    const CounterMappingRegion &region = function_.regions[i];
    if (region.FileID != point.file)
      break;
    if (!best.empty()) {
      const CounterMappingRegion &first = function_.regions[best.front()];
      if (startOf(region) != startOf(first) || endOf(region) != endOf(first))
        break;
    }
    if (contains(region, place) && !isEvaluated(region))
      best.push_back(i);
  }
  return best;
}

RegionList RegionFinder::around(const Node &node) const {
  RegionList all;
  if (node.isInMacro || node.elements.empty() || !node.elements.front().where.begin.isKnown())
    return all;
  const SourcePosition &place = node.elements.front().where.begin;
  for (unsigned file = 0; file < files_.size(); ++file)
    if (files_[file] == place.file)
      all.append(innermost({file, place.line, place.column}));
  return all;
}

RegionList RegionFinder::branchesOf(const SourceRange &condition) const {
  RegionList found;
  if (!condition.begin.isKnown() || !condition.end.isKnown())
    return found;
  Place begin{condition.begin.line, condition.begin.column};
  Place lastWord{condition.end.line, condition.end.column};
  // `p` and `p ? a : b` begin at the same place: the shortest region that has the last word.
  auto first = llvm::partition_point(
      branches_, [&](std::uint32_t i) { return startOf(function_.regions[i]) < begin; });
  for (std::uint32_t i : llvm::make_range(first, branches_.end())) {
    const CounterMappingRegion &region = function_.regions[i];
    if (startOf(region) != begin)
      break;
    if (region.FileID >= files_.size() || files_[region.FileID] != condition.begin.file ||
        endOf(region) <= lastWord || region.LineEnd != condition.end.line)
      continue;
    if (!found.empty() && endOf(region) > endOf(function_.regions[found.front()]))
      continue;
    if (!found.empty() && endOf(region) < endOf(function_.regions[found.front()]))
      found.clear();
    found.push_back(i);
  }
  if (llvm::any_of(found, [&](std::uint32_t i) { return isFolded(function_.regions[i]); }))
    found.clear();
  return found;
}

} // namespace retest
