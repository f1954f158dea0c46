#include "db/store.h"

#include "db/connection.h"
#include "db/migrations.h"
#include "db/parse_cache.h"
#include "tests/db/sample_units.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

int countOf(const std::string &path, const char *query) {
  SQLite::Database database(path, SQLite::OPEN_READONLY);
  return database.execAndGet(query).getInt();
}

void execute(const std::string &path, const std::string &sql) {
  SQLite::Database database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  database.exec(sql);
}

/// The message of an error of kind Store, or "" if the store can be opened.
std::string openError(const std::string &path, OpenMode mode) {
  auto store = Store::open(path, mode);
  std::string message;
  if (!store)
    llvm::handleAllErrors(store.takeError(), [&](const Failure &failure) {
      CHECK(failure.kind() == ErrorKind::Store);
      message = failure.message();
    });
  return message;
}

} // namespace

TEST_CASE("store: a baseline comes back as it was saved") {
  TemporaryDirectory directory;
  SampleUnits units(1, 4);
  {
    Store store = openStore(directory / "retest.db");
    CHECK(messageOf(store.saveBaseline(infoOf("main"), {units.named()})) == "");
    CHECK(loaded(store, "main") == units.text());
  }
  auto reader = Store::open(directory / "retest.db", OpenMode::Read);
  REQUIRE(bool(reader));
  CHECK(loaded(*reader, "") == units.text());
  CHECK(messageOf(reader->check()) == "");
  Names names;
  auto baseline = reader->loadBaseline("main", names);
  REQUIRE(bool(baseline));
  CHECK(baseline->info == infoOf("main"));

  // The same graphs, each definition once.
  BaselineIndex index = llvm::cantFail(reader->loadIndex("main"));
  std::vector<SharedUnit> shared = llvm::cantFail(reader->loadGraphs(index, names));
  REQUIRE(shared.size() == baseline->units.size());
  for (std::size_t i = 0; i < shared.size(); ++i) {
    SharedUnit own(baseline->units[i].graph);
    CHECK(shared[i].rest == own.rest);
    CHECK(shared[i].functions == own.functions);
    CHECK(shared[i].classes == own.classes);
    CHECK(shared[i].variables == own.variables);
  }
}

TEST_CASE("store: what units have in common is in memory once") {
  TemporaryDirectory directory;
  SampleUnits units(1, 2);
  units.units[1].graph.functions = units.units[0].graph.functions;
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {units.named()})) == "");
  Names names;
  BaselineIndex index = llvm::cantFail(store.loadIndex("main"));
  std::vector<SharedUnit> shared = llvm::cantFail(store.loadGraphs(index, names));
  REQUIRE(shared.size() == 2);
  REQUIRE(!shared[0].functions.empty());
  CHECK(shared[0].functions.pointers() == shared[1].functions.pointers());
}

TEST_CASE("store: what the build links is kept in its order, and goes with the baseline") {
  TemporaryDirectory directory;
  Store store = openStore(directory / "retest.db");
  SampleUnits units(1, 2);
  Names names;
  ProgramPlan plan;
  plan.binaries = {
      {names.intern("build/tool"),
       ProgramKind::Executable,
       {{ProgramInputKind::Unit, names.intern("src/main.cpp")},
        {ProgramInputKind::Archive, names.intern("build/libz.a"), true},
        {ProgramInputKind::Object, names.intern("src/fast.S"), false, fingerprintOf("nop")},
        {ProgramInputKind::Object, names.intern("build/gone.o")},
        {ProgramInputKind::External, names.intern("-lpthread")}}},
      {names.intern("build/libz.a"), ProgramKind::Archive, {}},
  };
  CHECK(messageOf(store.saveBaseline(infoOf("main"), {units.named()}, {&plan, &names})) == "");
  auto baseline = store.loadBaseline("main", names);
  REQUIRE(bool(baseline));
  CHECK((baseline->plan == plan));
  CHECK(messageOf(store.removeBaseline("main")) == "");
  CHECK(countOf(directory / "retest.db", "SELECT count(*) FROM link_input") == 0);
}

TEST_CASE("store: a unit that did not parse, and a unit without anything") {
  TemporaryDirectory directory;
  Names names;
  UnitRecord broken, empty;
  broken.name = "b.cpp";
  broken.error = "b.cpp:1:1: error: unknown type name 'x'";
  empty.name = "a.cpp";
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {{{&broken, &names}, {&empty, &names}}})) ==
          "");
  auto baseline = store.loadBaseline("", names);
  REQUIRE(bool(baseline));
  CHECK(baseline->units == std::vector<UnitRecord>{empty, broken});
}

TEST_CASE("store: units that see a header in two ways have both, and each once") {
  TemporaryDirectory directory;
  Names names;
  std::vector<UnitRecord> units(3);
  const char *const ways[] = {"plain", "asserting", "plain"};
  for (std::size_t i = 0; i < units.size(); ++i) {
    units[i].name = fmt::format("{}.cpp", i);
    units[i].inputs = {{"/usr/include/v.h", fingerprintOf("content"), fingerprintOf(ways[i])},
                       {units[i].name, fingerprintOf("content"), {}}};
    units[i].graph.externalHeaders = {{names.intern("/usr/include/v.h"), fingerprintOf(ways[i])}};
  }
  Store store = openStore(directory / "retest.db");
  std::vector<NamedUnit> named;
  for (const UnitRecord &unit : units)
    named.push_back({&unit, &names});
  REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {named})) == "");
  auto baseline = store.loadBaseline("", names);
  REQUIRE(bool(baseline));
  CHECK(baseline->units == units);
  CHECK(countOf(directory / "retest.db", "SELECT count(*) FROM file_version") == 5);
}

TEST_CASE("store: several baselines, the newest first, and each replaced by its name") {
  TemporaryDirectory directory;
  Store store = openStore(directory / "retest.db");
  SampleUnits one(1, 2), two(2, 2), three(3, 2);
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {one.named()})) == "");
  REQUIRE(messageOf(store.saveBaseline(infoOf("two"), {two.named()})) == "");
  CHECK(loaded(store, "") == two.text());
  CHECK(loaded(store, "one") == one.text());
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {three.named()})) == "");
  CHECK(loaded(store, "") == three.text());
  CHECK(loaded(store, "one") == three.text());
  CHECK(loaded(store, "two") == two.text());
  auto list = store.listBaselines();
  REQUIRE(bool(list));
  CHECK(*list == std::vector<BaselineInfo>{infoOf("one"), infoOf("two")});
  CHECK(messageOf(store.check()) == "");

  std::string message = loaded(store, "three");
  CHECK(message.find("no baseline is named 'three'; it holds one, two") != std::string::npos);
  CHECK(messageOf(store.removeBaseline("three")) != "");
}

TEST_CASE("store: units and functions that baselines share are kept once") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  Store store = openStore(path);
  SampleUnits units(1, 3);
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()})) == "");
  REQUIRE(messageOf(store.saveBaseline(infoOf("two"), {units.named()})) == "");
  CHECK(countOf(path, "SELECT count(*) FROM unit") == 3);
  int definitions = countOf(path, "SELECT sum(count) FROM pack");

  // One function more, and the others of that unit moved by three lines.
  UnitRecord &unit = units.units[0];
  for (Function &function : unit.graph.functions)
    function.where.begin.line += function.where.begin.line ? 3 : 0;
  Function added;
  added.name = units.names.intern("added()");
  unit.graph.functions.push_back(added);
  REQUIRE(messageOf(store.saveBaseline(infoOf("three"), {units.named()})) == "");
  CHECK(countOf(path, "SELECT count(*) FROM unit") == 4);
  CHECK(countOf(path, "SELECT sum(count) FROM pack") >= definitions + 1);
  CHECK(loaded(store, "three") == units.text());
}

TEST_CASE("store: what no baseline needs any more is removed") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  Store store = openStore(path);
  SampleUnits one(1, 3), two(2, 3);
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {one.named()})) == "");
  int paths = countOf(path, "SELECT count(*) FROM path");
  int versions = countOf(path, "SELECT count(*) FROM file_version");
  int definitions = countOf(path, "SELECT sum(count) FROM pack");
  REQUIRE(messageOf(store.saveBaseline(infoOf("two"), {two.named()})) == "");
  CHECK(countOf(path, "SELECT count(*) FROM unit") == 6);
  REQUIRE(messageOf(store.removeBaseline("two")) == "");
  CHECK(countOf(path, "SELECT count(*) FROM unit") == 3);
  CHECK(countOf(path, "SELECT count(*) FROM path") == paths);
  CHECK(countOf(path, "SELECT count(*) FROM file_version") == versions);
  CHECK(countOf(path, "SELECT sum(count) FROM pack") == definitions);
  CHECK(loaded(store, "") == one.text());
  REQUIRE(messageOf(store.removeBaseline("one")) == "");
  for (const char *table : {"unit", "pack", "path", "file_version", "baseline_unit"}) {
    CAPTURE(table);
    CHECK(countOf(path, (std::string("SELECT count(*) FROM ") + table).c_str()) == 0);
  }
}

TEST_CASE("store: many small packs become few") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  Store store = openStore(path);
  SampleUnits units(1, 1);
  for (unsigned i = 0; i < 20; ++i) {
    units.add(100 + i);
    REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {units.named()})) == "");
  }
  SampleUnits other(50, 1);
  REQUIRE(messageOf(store.saveBaseline(infoOf("other"), {other.named()})) == "");
  REQUIRE(messageOf(store.removeBaseline("other")) == "");
  CHECK(countOf(path, "SELECT count(*) FROM pack") < 8);
  CHECK(loaded(store, "main") == units.text());
  CHECK(messageOf(store.check()) == "");
}

TEST_CASE("store: units are found by the names in them") {
  TemporaryDirectory directory;
  Store store = openStore(directory / "retest.db");
  SampleUnits units(1, 3);
  Function function;
  function.name = units.names.intern("ns::wanted(int)");
  units.units[1].graph.functions.push_back(function);
  REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {units.named()})) == "");
  auto index = store.loadIndex("");
  REQUIRE(bool(index));
  auto found =
      store.unitsDefining(*index, [](llvm::StringRef name) { return name.contains("wanted"); });
  REQUIRE(bool(found));
  REQUIRE(found->size() == 1);
  auto graph = store.loadGraph(found->front(), units.names);
  REQUIRE(bool(graph));
  CHECK(*graph == units.units[1].graph);
}

TEST_CASE("store: what is no store of this program is refused, and names the file") {
  struct Row {
    const char *what;
    void (*make)(const std::string &path);
    const char *message;
  };
  const Row rows[] = {
      {"text", [](const std::string &path) { std::ofstream(path) << std::string(5000, 'x'); },
       "not a database of retest; move it away, and `retest record` makes a new one"},
      {"another program's database",
       [](const std::string &path) { execute(path, "CREATE TABLE t (a)"); },
       "not a retest store; move it away, and `retest record` makes one"},
      {"a parse cache", [](const std::string &path) { (void)ParseCache::open(path); },
       "not a retest store; move it away, and `retest record` makes one"},
      {"a newer version",
       [](const std::string &path) {
         openStore(path);
         execute(path, "PRAGMA user_version = 99");
       },
       "written by a newer retest (version 99 of the tables; this program knows 8); use that one, "
       "or "
       "move it away, and `retest record` makes one"},
      {"an older version",
       [](const std::string &path) {
         openStore(path);
         execute(path, "PRAGMA user_version = 1");
       },
       "written by an older retest (version 1 of the tables; this program reads 2 and newer); move "
       "it away, and `retest record` makes one"},
      {"a directory", [](const std::string &path) { std::filesystem::create_directory(path); },
       "a directory, where a file is expected; move it away"},
  };
  for (const Row &row : rows) {
    for (OpenMode mode : {OpenMode::Read, OpenMode::Write}) {
      CAPTURE(row.what);
      TemporaryDirectory directory;
      std::string path = directory / "retest.db";
      row.make(path);
      std::string message = openError(path, mode);
      CHECK(message == path + ": " + row.message);
    }
  }
  TemporaryDirectory directory;
  CHECK(openError(directory / "none.db", OpenMode::Read) ==
        directory / "none.db" + ": no such file; `retest record` makes it");
  CHECK(!std::filesystem::exists(directory / "none.db"));
  CHECK(openError(directory / "none/none.db", OpenMode::Write) ==
        fmt::format("{0}/none.db: its directory does not exist; `mkdir -p {0}` makes it",
                    directory / "none"));
  CHECK(!std::filesystem::exists(directory / "none"));
  directory.write("empty.db", "");
  CHECK(openError(directory / "empty.db", OpenMode::Read) ==
        directory / "empty.db" + ": empty; `retest record` fills it");
  CHECK(openError(directory / "empty.db", OpenMode::Write) == "");

  Store store = openStore(directory / "lacking.db");
  execute(directory / "lacking.db", "ALTER TABLE baseline DROP COLUMN environment");
  auto baselines = store.listBaselines();
  REQUIRE(!baselines);
  CHECK(messageOf(baselines.takeError()) ==
        directory / "lacking.db" + ": damaged (no such column: environment); move it away, and "
                                   "`retest record` makes a new one");
}

TEST_CASE("store: strict tables, foreign keys, write-ahead log") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  auto connection = openConnection(path, FileKind::Store, OpenMode::Write);
  REQUIRE(bool(connection));
  SQLite::Database &database = (*connection)->database;
  CHECK(database.execAndGet("PRAGMA journal_mode").getString() == "wal");
  CHECK(database.execAndGet("PRAGMA foreign_keys").getInt() == 1);
  CHECK(database.execAndGet("PRAGMA application_id").getInt() == 0x72747374);
  CHECK(database.execAndGet("PRAGMA user_version").getInt() == kSchemaVersion);
  CHECK_THROWS(database.exec("INSERT INTO baseline_unit VALUES (1, 1)"));
  CHECK_THROWS(database.exec("INSERT INTO path VALUES ('x', 'y')"));
}

TEST_CASE("migrations: each step once, in order, and all or none") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  execute(path, "CREATE TABLE t (a TEXT) STRICT; INSERT INTO t VALUES ('kept');"
                "PRAGMA user_version = 1");
  SQLite::Database database(path, SQLite::OPEN_READWRITE);
  const Migration good[] = {
      {1, "DROP TABLE t"}, {2, "ALTER TABLE t ADD b INTEGER"}, {3, "UPDATE t SET b = 7"}};
  const Migration bad[] = {good[0], good[1], good[2], {4, "UPDATE t SET c = 1"}};
  CHECK_THROWS(migrate(database, bad));
  CHECK(countOf(path, "PRAGMA user_version") == 1);
  migrate(database, good);
  CHECK(countOf(path, "PRAGMA user_version") == 3);
  CHECK(countOf(path, "SELECT b FROM t WHERE a = 'kept'") == 7);
  migrate(database, good);
  CHECK(countOf(path, "PRAGMA user_version") == 3);
}

TEST_CASE("migrations: the steps lead from the oldest version to the schema") {
  int version = kOldestVersion;
  for (const Migration &step : migrations())
    CHECK(step.to == ++version);
  CHECK(version == kSchemaVersion);
}
