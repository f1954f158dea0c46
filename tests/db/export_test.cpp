#include "db/export.h"

#include "db/compress.h"
#include "db/connection.h"
#include "db/store_upkeep.h"
#include "tests/db/sample_matrix.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace retest;

namespace {

std::string exported(Store &store, const std::vector<std::string> &names = {}) {
  return llvm::cantFail(exportBaselines(store, names));
}

std::string importError(Store &store, const std::string &file,
                        ImportMode mode = ImportMode::AddOnly) {
  auto names = importBaselines(store, file, mode);
  return names ? "" : llvm::toString(names.takeError());
}

} // namespace

TEST_CASE("export: the same baselines give the same bytes, whatever the store went through") {
  TemporaryDirectory directory;
  SampleUnits units(1, 4), others(2, 5);
  CoverageMatrix matrix = sampleMatrix(units, 60), other = sampleMatrix(others, 7);
  Store straight = openStore(directory / "straight.db"), winding = openStore(directory / "wind.db");
  REQUIRE(messageOf(winding.saveBaseline(infoOf("gone"), {others.named()}, {}, &other)) == "");
  REQUIRE(messageOf(winding.saveBaseline(infoOf("main"), {others.named()}, {}, &other)) == "");
  for (Store *store : {&straight, &winding}) {
    REQUIRE(messageOf(store->saveBaseline(infoOf("main"), {units.named()}, {}, &matrix)) == "");
    REQUIRE(messageOf(store->saveBaseline(infoOf("graph"), {units.named()})) == "");
  }
  REQUIRE(messageOf(winding.removeBaseline("gone")) == "");
  std::string bytes = exported(straight);
  CHECK((bytes == exported(winding)));
  CHECK((bytes != exported(straight, {"main"})));

  Store copy = openStore(directory / "copy.db");
  directory.write("file", bytes);
  auto names = importBaselines(copy, directory / "file", ImportMode::AddOnly);
  REQUIRE(bool(names));
  CHECK(*names == std::vector<std::string>{"main", "graph"});
  CHECK(messageOf(copy.check()) == "");
  CHECK(loaded(copy, "main") == units.text());
  CHECK((loadedMatrix(copy, "main").matrix == matrix));
  CHECK(loadedMatrix(copy, "graph").message == "no coverage");
  CHECK((exported(copy) == bytes));
}

TEST_CASE("import: a baseline of the same name is replaced only if asked, all or none") {
  TemporaryDirectory directory;
  SampleUnits units(1, 2), others(2, 2);
  Store from = openStore(directory / "from.db"), to = openStore(directory / "to.db");
  for (const char *name : {"new", "main"})
    REQUIRE(messageOf(from.saveBaseline(infoOf(name), {units.named()})) == "");
  directory.write("file", exported(from));
  REQUIRE(messageOf(to.saveBaseline(infoOf("main"), {others.named()})) == "");
  CHECK(importError(to, directory / "file").find("holds a baseline main already") !=
        std::string::npos);
  CHECK(llvm::cantFail(to.listBaselines()).size() == 1);
  CHECK(loaded(to, "main") == others.text());
  CHECK(importError(to, directory / "file", ImportMode::Replace) == "");
  CHECK(loaded(to, "main") == units.text());
  CHECK(loaded(to, "new") == units.text());
}

TEST_CASE("import: a file that is not as we write it is refused, and the store stays") {
  TemporaryDirectory directory;
  SampleUnits units(1, 3, 10);
  CoverageMatrix matrix = sampleMatrix(units, 30);
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {units.named()}, {}, &matrix)) == "");
  const std::string bytes = exported(store), whole = llvm::cantFail(decompressed(bytes));
  REQUIRE(messageOf(store.removeBaseline("main")) == "");

  auto refused = [&](const std::string &content, const std::string &message) {
    directory.write("file", content);
    std::string got = importError(store, directory / "file");
    CHECK_MESSAGE(got.find(message) != std::string::npos, got);
    CHECK(got.find(directory / "file") == 0);
    CHECK(llvm::cantFail(store.listBaselines()).empty());
  };
  refused("", "its end is missing");
  refused("x", "zstd, or damaged");
  refused(bytes.substr(0, bytes.size() / 2), "its end is missing");
  refused(bytes + "more", "zstd, or damaged");
  refused(compressed("text", 1), "not a database of retest");
  refused(compressed(whole.substr(0, whole.size() - 4096), 1), "damaged");
  struct Row {
    const char *sql, *message;
  };
  const Row rows[] = {
      {"CREATE VIEW v AS SELECT 1", "its tables are not those of retest"},
      {"CREATE TRIGGER t AFTER INSERT ON test BEGIN DELETE FROM test; END",
       "its tables are not those of retest"},
      {"DROP INDEX unit_name", "its tables are not those of retest"},
      {"PRAGMA user_version = 99", "made by a newer retest"},
      {"PRAGMA application_id = 7", "not an export of retest"},
      {"DELETE FROM baseline", "names another that is not there"},
      {"UPDATE baseline SET name = 'a' || char(27)", "control characters"},
      {"DELETE FROM coverage_class", "a coverage class is missing"},
      {"UPDATE unit SET rest = x'00'", "damaged"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.sql);
    std::string path = directory.write("edited.db", whole);
    SQLite::Database(path, SQLite::OPEN_READWRITE).exec(row.sql);
    std::ifstream file(path, std::ios::binary);
    refused(compressed(std::string((std::istreambuf_iterator<char>(file)), {}), 1), row.message);
  }
  std::mt19937 random(5);
  for (unsigned round = 0; round < 60; ++round) {
    CAPTURE(round);
    std::string damaged = whole;
    for (unsigned times = 1 + random() % 20; times > 0; --times)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    directory.write("file", compressed(damaged, 1));
    importError(store, directory / "file", ImportMode::Replace); // an error or harmless
    CHECK(messageOf(store.check()) == "");
  }
}

TEST_CASE("upkeep: what a store holds, and what a rule leaves of it") {
  TemporaryDirectory directory;
  SampleUnits units(1, 3);
  CoverageMatrix matrix = sampleMatrix(units, 30);
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("graph"), {units.named()})) == "");
  REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {units.named()}, {}, &matrix)) == "");
  StoreSummary summary = llvm::cantFail(summarise(store));
  REQUIRE(summary.baselines.size() == 2);
  BaselineSummary &newest = summary.baselines[0];
  CHECK(newest.coverageBytes > 1000);
  newest.coverageBytes = 0;
  CHECK((newest == BaselineSummary{infoOf("main"), 3, true, 30, 3, 0}));
  CHECK((summary.baselines[1] == BaselineSummary{infoOf("graph"), 3, false, 0, 0, 0}));

  REQUIRE(messageOf(removeBaselines(store, {"main"})) == "");
  CHECK(messageOf(removeBaselines(store, {"graph", "main"})) != "");
  CHECK(llvm::cantFail(store.listBaselines()).size() == 1);
  REQUIRE(messageOf(compact(store)) == "");
  StoreSummary after = llvm::cantFail(summarise(store));
  CHECK(after.bytes < summary.bytes);
  CHECK(after.freeBytes == 0);
  CHECK(loaded(store, "graph") == units.text());
}

TEST_CASE("pruning: the newest stay, and those with a name of their own") {
  auto info = [](const char *name, const char *commit) {
    return BaselineInfo{name, commit, "", ""};
  };
  const std::vector<BaselineInfo> known = {info("c4", "c4"),      info("c3-dirty", "c3"),
                                           info("release", "c2"), info("c2", "c2"),
                                           info("work-tree", ""), info("c1", "c1")};
  CHECK(baselinesToPrune(known, 10).empty());
  CHECK(baselinesToPrune(known, 4) == std::vector<std::string>{"c1", "work-tree"});
  CHECK(baselinesToPrune(known, 1) ==
        std::vector<std::string>{"c1", "work-tree", "c2", "c3-dirty"});
  CHECK(baselinesToPrune(known, 0).size() == 5);
}
