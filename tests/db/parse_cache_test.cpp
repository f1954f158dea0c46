#include "db/parse_cache.h"

#include "tests/db/sample_units.h"
#include "tests/notation/child_process.h"
#include "tests/notation/temporary_directory.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>

#include <sys/stat.h>

using namespace retest;

namespace {

std::string loadedText(ParseCache &cache, const StoredUnit &stored) {
  Names names;
  auto unit = cache.load(stored, names);
  return unit ? textOf(*unit, names) : llvm::toString(unit.takeError());
}

} // namespace

TEST_CASE("parse cache: a unit is found by name and command, and comes back as it was") {
  TemporaryDirectory directory;
  SampleUnits units(1, 3);
  {
    ParseCache cache = ParseCache::open(directory / "cache.db");
    CHECK(cache.notes().empty());
    CHECK(cache.lookup("src/000.cpp", units.units[0].command).empty());
    CHECK(cache.save(units.named()).size() == 3);
  }
  ParseCache cache = ParseCache::open(directory / "cache.db");
  CHECK(cache.notes().empty());
  for (const UnitRecord &unit : units.units) {
    CAPTURE(unit.name);
    auto found = cache.lookup(unit.name, unit.command);
    REQUIRE(found.size() == 1);
    CHECK(loadedText(cache, *found[0]) == textOf(unit, units.names));
    REQUIRE(found[0]->files.inputs.size() == unit.inputs.size());
    const FileVersion &version = cache.files().versions[found[0]->files.inputs[0].value];
    CHECK(cache.files().paths[version.path.value] == unit.inputs[0].path);
    CHECK(version.content == unit.inputs[0].content);
    CHECK(version.seen == unit.inputs[0].seen);
    CHECK(found[0]->files.missed.size() == unit.missed.size());
    CHECK(cache.lookup(unit.name, Fingerprint{1, 2}).empty());
  }
}

TEST_CASE("parse cache: the newest versions are kept, newest first") {
  TemporaryDirectory directory;
  Names names;
  RandomGraph random(1, names);
  Fingerprint command = random.fingerprint();
  std::vector<std::string> texts;
  for (int i = 0; i < 40; ++i) {
    ParseCache cache = ParseCache::open(directory / "cache.db");
    UnitRecord unit = random.unit("a.cpp");
    unit.command = command;
    texts.push_back(textOf(unit, names));
    REQUIRE(cache.save({{&unit, &names}}).size() == 1);
  }
  ParseCache cache = ParseCache::open(directory / "cache.db");
  auto found = cache.lookup("a.cpp", command);
  REQUIRE(found.size() == 4);
  for (int i = 0; i < 4; ++i)
    CHECK(loadedText(cache, *found[i]) == texts[texts.size() - 1 - i]);
  CHECK(cache.notes().empty());
  // What the others needed is collected from time to time.
  SQLite::Database database(directory / "cache.db");
  CHECK(database.execAndGet("SELECT count(*) FROM pack").getInt() < 20);
  CHECK(database.execAndGet("SELECT count(*) FROM file_version").getInt() < 60);
}

TEST_CASE("parse cache: saving what is there already changes nothing") {
  TemporaryDirectory directory;
  SampleUnits units(1, 3);
  ParseCache cache = ParseCache::open(directory / "cache.db");
  auto first = cache.save(units.named());
  CHECK(cache.save(units.named()) == first);
}

TEST_CASE("parse cache: a killed run keeps the units that it saved") {
  TemporaryDirectory directory;
  SampleUnits one(1, 2), two(2, 1);
  CHECK(runInChild([&] {
          ParseCache cache = ParseCache::open(directory / "cache.db");
          cache.save(one.named());
          kill(getpid(), SIGKILL);
          return 0;
        }) == -1);
  ParseCache cache = ParseCache::open(directory / "cache.db");
  CHECK(cache.lookup("src/001.cpp", one.units[1].command).size() == 1);
}

TEST_CASE("parse cache: a cache that cannot be used is no error") {
  struct Row {
    const char *what;
    void (*make)(const std::string &path);
    const char *note;
    bool isKeptAfterwards;
  };
  const Row rows[] = {
      {"text", [](const std::string &path) { std::ofstream(path) << std::string(9000, 'x'); },
       "begun anew", true},
      {"tables that lack a column",
       [](const std::string &path) {
         (void)ParseCache::open(path);
         SQLite::Database(path, SQLite::OPEN_READWRITE).exec("ALTER TABLE unit DROP COLUMN missed");
       },
       "begun anew", true},
      {"a newer version",
       [](const std::string &path) {
         (void)ParseCache::open(path);
         SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
       },
       "going on without it", false},
      {"an older version",
       [](const std::string &path) {
         (void)ParseCache::open(path);
         SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 1");
       },
       "begun anew", true},
      {"a directory", [](const std::string &path) { std::filesystem::create_directory(path); },
       "going on without it", false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    TemporaryDirectory directory;
    std::string path = directory / "cache.db";
    row.make(path);
    SampleUnits units(1, 2);
    {
      ParseCache cache = ParseCache::open(path);
      REQUIRE(cache.notes().size() == 1);
      CHECK(cache.notes()[0].find(path) == 0);
      CHECK(cache.notes()[0].find(row.note) != std::string::npos);
      CHECK(cache.save(units.named()).size() == 2);
      CHECK(cache.notes().size() == 1);
    }
    ParseCache cache = ParseCache::open(path);
    CHECK(cache.notes().empty() == row.isKeptAfterwards);
    CHECK(cache.lookup("src/001.cpp", units.units[1].command).size() ==
          (row.isKeptAfterwards ? 1 : 0));
  }
}

TEST_CASE("parse cache: one that cannot be written is used as it is, with one note") {
  struct Row {
    std::string what;
    mode_t file, place;
  };
  const Row rows[] = {
      {"a read-only file", 0444, 0777},
      {"a read-only directory", 0666, 0555},
      {"both", 0444, 0555},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    TemporaryDirectory directory;
    chmod(directory.path().c_str(), 0755);
    std::string place = directory / "place", path = place + "/cache.db", store = directory / "out";
    std::filesystem::create_directory(place);
    std::filesystem::create_directory(store);
    chmod(store.c_str(), 0777);
    SampleUnits units(1, 2), fresh(2, 3);
    std::vector<UnitRowId> ids;
    {
      ParseCache cache = ParseCache::open(path);
      ids = cache.save(units.named());
      FileStates states;
      REQUIRE(states.current("/usr/include/stdio.h").has_value());
      cache.saveFileStates(states);
    }
    chmod(path.c_str(), row.file);
    chmod(place.c_str(), row.place);

    // In a child, which has its own checks to fail: 0 is the last of them passed.
    CHECK(runInChild([&] {
            giveUpRights();
            ParseCache cache = ParseCache::open(path);
            auto found = cache.lookup("src/001.cpp", units.units[1].command);
            if (found.size() != 1)
              return 1;
            if (loadedText(cache, *found[0]) != textOf(units.units[1], units.names))
              return 2;
            if (!cache.save(fresh.named()).empty() || !cache.save(fresh.named()).empty())
              return 3;
            FileStates states = cache.loadFileStates();
            if (!states.current("/usr/include/stdio.h") || states.reads() != 0)
              return 4;
            states.current("/usr/include/stdlib.h");
            cache.saveFileStates(states);
            if (cache.notes().size() != 1 ||
                cache.notes()[0].find(path + ": cannot be written; it is used as it is") != 0)
              return 5;
            Store copy = openStore(store + "/retest.db");
            if (messageOf(copy.saveBaseline(infoOf("main"), {{}, &cache, ids})) != "")
              return 6;
            return loaded(copy, "main") == units.text() ? 0 : 7;
          }) == 0);
    chmod(place.c_str(), 0777);
    chmod(path.c_str(), 0666);
    ParseCache cache = ParseCache::open(path);
    CHECK(cache.lookup("src/002.cpp", fresh.units[2].command).empty());
  }
}

TEST_CASE("parse cache: a damaged one that cannot be removed is left alone") {
  TemporaryDirectory directory;
  chmod(directory.path().c_str(), 0755);
  std::string place = directory / "place", path = place + "/cache.db";
  std::filesystem::create_directory(place);
  SampleUnits units(1, 2);
  (void)ParseCache::open(path).save(units.named());
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec("ALTER TABLE unit DROP COLUMN missed");
  chmod(place.c_str(), 0555);
  CHECK(runInChild([&] {
          giveUpRights();
          ParseCache cache = ParseCache::open(path);
          if (cache.notes().empty() ||
              cache.notes().back() !=
                  path + ": damaged (no such column: missed) (going on without it)")
            return 1;
          return cache.save(units.named()).size() == 2 ? 0 : 2; // in memory
        }) == 0);
  chmod(place.c_str(), 0777);
}

TEST_CASE("parse cache: numbers given out before the cache was begun anew stay empty") {
  TemporaryDirectory directory;
  std::string path = directory / "cache.db";
  SampleUnits one(1, 3), two(2, 3);
  ParseCache cache = ParseCache::open(path);
  auto before = cache.save(one.named());
  SQLite::Database(path, SQLite::OPEN_READWRITE).exec("DROP TABLE file_version");
  auto after = cache.save(two.named());
  REQUIRE(after.size() == 3);
  CHECK(cache.notes().size() == 1);
  CHECK(after[0].value > before[2].value);
  Store store = openStore(directory / "retest.db");
  CHECK(messageOf(store.saveBaseline(infoOf("main"), {{}, &cache, before})) != "");
  CHECK(messageOf(store.saveBaseline(infoOf("main"), {{}, &cache, after})) == "");
  CHECK(loaded(store, "main") == two.text());
}

TEST_CASE("parse cache: units are copied to the store, whole packs and parts of them") {
  TemporaryDirectory directory;
  SampleUnits units(1, 8, 300), fresh(2, 0);
  ParseCache cache = ParseCache::open(directory / "cache.db");
  auto ids = cache.save(units.named());
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("part"), {{}, &cache, {ids[1], ids[5]}})) == "");
  REQUIRE(messageOf(store.saveBaseline(infoOf("all"), {{}, &cache, ids})) == "");
  CHECK(loaded(store, "all") == units.text());
  CHECK(loaded(store, "part") ==
        textOf(units.units[1], units.names) + textOf(units.units[5], units.names));
  fresh.add(900);
  REQUIRE(messageOf(store.saveBaseline(infoOf("both"), {fresh.named(), &cache, ids})) == "");
  CHECK(loaded(store, "both") == units.text() + fresh.text());
  CHECK(messageOf(store.check()) == "");
}

TEST_CASE("parse cache: states of files are kept") {
  TemporaryDirectory directory;
  {
    ParseCache cache = ParseCache::open(directory / "cache.db");
    FileStates states = cache.loadFileStates();
    REQUIRE(states.current("/usr/include/stdio.h").has_value());
    cache.saveFileStates(states);
    CHECK(cache.notes().empty());
  }
  ParseCache cache = ParseCache::open(directory / "cache.db");
  FileStates states = cache.loadFileStates();
  CHECK(states.current("/usr/include/stdio.h").has_value());
  CHECK(states.reads() == 0);
}
