#include "db/history.h"
#include "tests/db/sample_matrix.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

HistoryEntry sampleEntry(const std::string &at) {
  HistoryEntry entry{at, "shadow", "c0ffee", "subset", "", 177, 26, 177, 2, 1, 1};
  entry.selecting = std::chrono::microseconds(1500);
  entry.ranTime = std::chrono::seconds(9);
  entry.savedTime = std::chrono::seconds(7);
  entry.rules = {{"file", 2}, {"statement", 24}};
  return entry;
}

} // namespace

TEST_CASE("history: what was added comes back, oldest first, and outlives baselines") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  HistoryEntry first = sampleEntry("2025-01-01T00:00:00Z"), second = sampleEntry("2024");
  second.rules.clear();
  second.reason = "no baseline";
  {
    Store store = openStore(path);
    SampleUnits units(1, 2);
    REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()})) == "");
    REQUIRE(messageOf(addHistory(store, first)) == "");
    REQUIRE(messageOf(addHistory(store, second)) == "");
    REQUIRE(messageOf(store.removeBaseline("one")) == "");
    CHECK(messageOf(store.check()) == "");
  }
  Store store = llvm::cantFail(Store::open(path, OpenMode::Read));
  CHECK((llvm::cantFail(loadHistory(store)) == std::vector{first, second}));
}

TEST_CASE("history: a store that is read cannot be added to") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  openStore(path);
  Store store = llvm::cantFail(Store::open(path, OpenMode::Read));
  CHECK(messageOf(addHistory(store, sampleEntry("2025"))) != "");
  CHECK(llvm::cantFail(loadHistory(store)).empty());
}
