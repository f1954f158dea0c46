#include "report/run_statistics.h"

#include <doctest/doctest.h>
#include <llvm/Support/JSON.h>

using namespace retest;
using namespace std::chrono_literals;

namespace {

std::vector<HistoryEntry> history() {
  HistoryEntry first{"2025", "run", "", "subset", "", 10, 2, 2, 1, 0, 0, 1s, 2s, 8s};
  first.rules = {{"file", 1}, {"statement", 1}};
  HistoryEntry second{"2025", "run", "", "all", "no store", 10, 10, 10, 0, 0, 0, 0s, 10s, 0s};
  HistoryEntry third{"2025", "shadow", "", "subset", "", 10, 4, 10, 3, 2, 1, 1s, 10s, 6s};
  third.rules = {{"statement", 4}};
  return {first, second, third};
}

template <class Write> std::string written(const RunStatistics &statistics, Write write) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(out, statistics);
  return text;
}

} // namespace

TEST_CASE("statistics: what selection saved") {
  CHECK(written(statisticsOf(history()), writeStatisticsText) ==
        "runs      2: 1 of a part of the tests, 0 of none, 1 of all\n"
        "tests     12 of 20 ran (60.0 %); 1 failed\n"
        "time      12.00 s in tests, 8.00 s saved (40.0 %), 1.00 s to select\n"
        "shadow    1 run: 4 of 10 tests were selected (40.0 %), which would have saved 6.00 s of "
        "10.00 s (60.0 %)\n"
        "outcomes  3 changed: 2 caught, 1 escaped\n"
        "what spoke for tests:\n"
        "    file             1 test in 1 run\n"
        "    statement        5 tests in 2 runs\n"
        "all tests, because it could not be told:\n"
        "    1 times: no store\n");
  CHECK(written(statisticsOf({}), writeStatisticsText).empty());
}

TEST_CASE("statistics: the same as JSON") {
  std::string text = written(statisticsOf(history()), writeStatisticsJson);
  llvm::json::Value json = llvm::cantFail(llvm::json::parse(text));
  const llvm::json::Object &all = *json.getAsObject();
  CHECK(all.getObject("runs")->getInteger("ran") == 12);
  CHECK(all.getObject("runs")->getNumber("saved_seconds") == 8);
  CHECK(all.getObject("shadows")->getInteger("selected") == 4);
  CHECK(all.getInteger("escaped") == 1);
  CHECK(all.getArray("rules")->size() == 2);
  CHECK(all.getArray("fallbacks")->front().getAsObject()->getString("reason") == "no store");
}
