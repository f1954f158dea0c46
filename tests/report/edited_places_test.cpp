#include "report/edited_places.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace retest;

namespace {

/// "2-3 was 2-2": lines of the current version, and of the baseline; the last one does not count.
std::string edits(const char *baseline, const char *current) {
  std::string shown;
  for (const EditedPlace &place : editedPlaces("f", baseline, current))
    shown += fmt::format("{}{}-{} was {}-{}", shown.empty() ? "" : ", ", place.current.begin,
                         place.current.end, place.baseline.begin, place.baseline.end);
  return shown;
}

} // namespace

TEST_CASE("edited places: each run of lines that differ") {
  CHECK(edits("a\nb\nc\n", "a\nb\nc\n") == "");
  CHECK(edits("a\nb\nc\n", "a\nx\nc\n") == "2-3 was 2-3");
  CHECK(edits("a\nb\nc\n", "a\nb\nx\ny\nc\n") == "3-5 was 3-3");
  CHECK(edits("a\nb\nc\nd\n", "a\nd\n") == "2-2 was 2-4");
  CHECK(edits("a\nb\nc\nd\ne\n", "x\nb\nc\nd\ny\n") == "1-2 was 1-2, 5-6 was 5-6");
}

TEST_CASE("edited places: whether a line is part of one") {
  EditedPlace place{"f", {3, 5}, {3, 4}}, gone{"f", {7, 7}, {6, 9}}, unknown{"f", {}, {}};
  CHECK(!place.contains("f", 2));
  CHECK(place.contains("f", 3));
  CHECK(place.contains("f", 4));
  CHECK(!place.contains("f", 5));
  CHECK(place.contains("f", 0));
  CHECK(!place.contains("g", 3));
  CHECK(gone.contains("f", 7));
  CHECK(unknown.contains("f", 9));
}

TEST_CASE("edited places: in words") {
  EditedPlace a{"a.h", {6, 7}, {6, 7}}, b{"b.h", {}, {}};
  CHECK(placesText({a}) == "a.h:6");
  CHECK(placesText({a, b}) == "a.h:6, b.h");
  CHECK(placesText({a, b, a, b, b}) == "a.h:6, b.h, a.h:6 and 2 more places");
}
