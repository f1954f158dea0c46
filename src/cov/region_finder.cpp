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
  for (const CounterMappingRegion &region : function.regions)
    if (isFolded(region))
      folded_.push_back(&region);
}

RegionList RegionFinder::innermost(Point point) const {
  Place place{point.line, point.column};
  RegionList best;
  for (std::uint32_t i = 0; i < function_.regions.size(); ++i) {
    const CounterMappingRegion &region = function_.regions[i];
    if (region.Kind != CounterMappingRegion::CodeRegion || region.FileID != point.file ||
        !contains(region, place))
      continue;
    if (llvm::any_of(folded_, [&](const CounterMappingRegion *folded) {
          return folded->FileID == point.file && contains(*folded, place) &&
                 !isLarger(region, *folded);
        }))
      continue;
    // The one that starts last; of those the one that ends first.
    auto rank = [](const CounterMappingRegion &a) {
      return std::tuple(startOf(a), -static_cast<long>(a.LineEnd), -static_cast<long>(a.ColumnEnd));
    };
    if (!best.empty() && rank(region) < rank(function_.regions[best.front()]))
      continue;
    if (!best.empty() && rank(function_.regions[best.front()]) < rank(region))
      best.clear();
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
  for (std::uint32_t i = 0; i < function_.regions.size(); ++i) {
    const CounterMappingRegion &region = function_.regions[i];
    if (!isBranch(region) || region.FileID >= files_.size() ||
        files_[region.FileID] != condition.begin.file || startOf(region) != begin ||
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
