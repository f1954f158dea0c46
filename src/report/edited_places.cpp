#include "report/edited_places.h"

#include "report/aligned_lines.h"

#include <fmt/ranges.h>
#include <llvm/ADT/SmallVector.h>

namespace retest {

namespace {

std::vector<std::string> linesOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 0> lines;
  text.split(lines, '\n');
  return {lines.begin(), lines.end()};
}

} // namespace

std::vector<EditedPlace> editedPlaces(const std::string &path, llvm::StringRef baseline,
                                      llvm::StringRef current) {
  std::vector<EditedPlace> places;
  std::uint32_t nextBefore = 1, next = 1; // the lines behind what was seen
  bool isBehindEdit = false;
  for (const LinePair &row : alignedLines(linesOf(baseline), linesOf(current))) {
    if (!row.isSame && !isBehindEdit)
      places.push_back({path, {next, next}, {nextBefore, nextBefore}});
    isBehindEdit = !row.isSame;
    next = row.current == LinePair::kNone ? next : row.current + 2;
    nextBefore = row.baseline == LinePair::kNone ? nextBefore : row.baseline + 2;
    if (!row.isSame) {
      places.back().current.end = next;
      places.back().baseline.end = nextBefore;
    }
  }
  return places;
}

std::string placesText(const std::vector<EditedPlace> &places) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> shown;
  for (const EditedPlace &place : llvm::ArrayRef(places).take_front(kShown))
    shown.push_back(place.current.begin == 0
                        ? place.path
                        : fmt::format("{}:{}", place.path, place.current.begin));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return places.size() > kShown ? fmt::format("{} and {} more places", text, places.size() - kShown)
                                : text;
}

} // namespace retest
