// A file that an older retest wrote, brought to this version.
#include "db/compress.h"
#include "db/connection.h"
#include "db/history.h"
#include "db/migrations.h"
#include "tests/db/sample_matrix.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace retest;

namespace {

std::string version2Store(const TemporaryDirectory &directory) {
  std::ifstream file(RETEST_VERSION2_STORE);
  const std::string sql((std::istreambuf_iterator<char>(file)), {});
  REQUIRE(!sql.empty());
  std::string path = directory / "retest.db";
  SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(sql);
  return path;
}

/// The statements that made the tables and indices.
std::vector<std::string> tablesOf(const std::string &path) {
  SQLite::Database database(path, SQLite::OPEN_READONLY);
  SQLite::Statement rows(database, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL");
  std::vector<std::string> tables;
  while (rows.executeStep())
    tables.push_back(rows.getColumn(0).getString());
  std::sort(tables.begin(), tables.end());
  return tables;
}

} // namespace

TEST_CASE("migration: a store of version 2 keeps its baseline and gets the new tables") {
  for (OpenMode mode : {OpenMode::Read, OpenMode::Write}) {
    TemporaryDirectory directory;
    std::string path = version2Store(directory);
    auto store = Store::open(path, mode);
    REQUIRE(bool(store));
    CHECK(messageOf(store->check()) == "");
    Names names;
    auto baseline = store->loadBaseline("v2", names);
    REQUIRE(bool(baseline));
    REQUIRE(baseline->units.size() == 2);
    CHECK(baseline->units[1].name == "src/shape.cpp");
    CHECK(baseline->units[1].graph.functions.size() == 2);
    CHECK(loadedMatrix(*store, "v2").message == "no coverage");

    Store fresh = openStore(directory / "fresh.db");
    CHECK(tablesOf(path) == tablesOf(directory / "fresh.db"));
  }
}

TEST_CASE("migration: what was brought forward takes a matrix") {
  TemporaryDirectory directory;
  Store store = openStore(version2Store(directory));
  SampleUnits units(1, 2);
  CoverageMatrix matrix = sampleMatrix(units, 12);
  REQUIRE(messageOf(store.saveBaseline(infoOf("new"), {units.named()}, {}, &matrix)) == "");
  CHECK((loadedMatrix(store, "new").matrix == matrix));
  CHECK(messageOf(store.check()) == "");
}

TEST_CASE("migration: a store of version 3 gets compressed fingerprints") {
  TemporaryDirectory directory;
  std::string path = version2Store(directory);
  std::size_t before = 0;
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    migrate(database, migrations().take_front(1));
    CHECK(database.execAndGet("PRAGMA user_version").getInt() == 3);
    before = database.execAndGet("SELECT length(fingerprints) FROM pack").getUInt();
  }
  Store store = openStore(path);
  SQLite::Database database(path, SQLite::OPEN_READONLY);
  SQLite::Statement row(database, "SELECT fingerprints FROM pack");
  REQUIRE(row.executeStep());
  auto bytes = decompressed(blobOf(row.getColumn(0)));
  REQUIRE(bool(bytes));
  CHECK(bytes->size() == before);
  CHECK(messageOf(store.check()) == "");
}

TEST_CASE("migration: the coverage of a store of version 5 does not tell what has counters") {
  TemporaryDirectory directory;
  std::string path = version2Store(directory);
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    migrate(database, migrations().take_front(3));
    CHECK(database.execAndGet("PRAGMA user_version").getInt() == 5);
    database.exec("INSERT INTO coverage SELECT id, 0, 1 FROM baseline");
    SQLite::Statement insert(database, "INSERT INTO unit_coverage SELECT baseline, unit, ? "
                                       "FROM baseline_unit ORDER BY unit LIMIT 1");
    bindBlob(insert, 1, compressed(std::string("\0", 1), 1));
    insert.exec();
    SQLite::Statement classes(database, "INSERT INTO coverage_class SELECT id, 0, ? FROM baseline");
    bindBlob(classes, 1, compressed(std::string("\1\1\0", 3), 1));
    classes.exec();
  }
  Store store = openStore(path);
  CHECK(messageOf(store.check()) == "");
  LoadedMatrix loaded = loadedMatrix(store, "v2");
  REQUIRE(loaded.message == "");
  REQUIRE(loaded.matrix.units.size() == 1);
  CHECK(loaded.matrix.units[0].counted.empty());
}

TEST_CASE("migration: of tests in a store of version 5 the framework's names are not known") {
  TemporaryDirectory directory;
  std::string path = version2Store(directory);
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    migrate(database, migrations().take_front(3));
    CHECK(database.execAndGet("PRAGMA user_version").getInt() == 5);
    database.exec("INSERT INTO coverage SELECT id, 1, 1 FROM baseline;"
                  "INSERT INTO test SELECT id, 0, '<build>/t', 'same (first)', 2, 'first', '', 0, "
                  "x'00', zeroblob(16), 0, 5, '', x'00' FROM baseline");
    SQLite::Statement classes(database, "INSERT INTO coverage_class SELECT id, 0, ? FROM baseline");
    bindBlob(classes, 1, compressed(std::string("\1\1\0", 3), 1));
    classes.exec();
  }
  Store store = openStore(path);
  LoadedMatrix loaded = loadedMatrix(store, "v2");
  CHECK(loaded.message == "");
  REQUIRE(loaded.matrix.tests.size() == 1);
  const RecordedTest &test = loaded.matrix.tests[0];
  CHECK(test.name == "same (first)");
  CHECK(test.duration == std::chrono::microseconds(5));
  CHECK(!test.native);
  CHECK(nativeNameOf(test) == "same (first)");
}

TEST_CASE("migration: a store of version 7 gets a history") {
  TemporaryDirectory directory;
  std::string path = version2Store(directory);
  {
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    migrate(database, migrations().take_front(5));
    REQUIRE(database.execAndGet("PRAGMA user_version").getInt() == 7);
  }
  Store store = openStore(path);
  REQUIRE(messageOf(addHistory(store, {"2025", "run", "", "none", ""})) == "");
  CHECK(llvm::cantFail(loadHistory(store)).size() == 1);
  Names names;
  CHECK(bool(store.loadBaseline("v2", names)));
}

TEST_CASE("migration: no number of a pack comes again") {
  for (const char *removed : {"id > 1", "id > 0"}) { // the newest, all of them
    CAPTURE(removed);
    TemporaryDirectory directory;
    std::string path = version2Store(directory);
    SQLite::Database database(path, SQLite::OPEN_READWRITE);
    database.exec(
        "INSERT INTO pack SELECT 7, count, keys, names, structure, fingerprints FROM pack");
    database.exec(fmt::format("DELETE FROM pack WHERE {}", removed));
    migrate(database, migrations());
    CHECK(
        database.execAndGet("SELECT count(*) FROM sqlite_sequence WHERE name = 'pack'").getInt() ==
        1);
    CHECK(database.execAndGet("SELECT seq FROM sqlite_sequence WHERE name = 'pack'").getInt() == 7);
  }
}
