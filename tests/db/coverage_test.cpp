#include "db/compress.h"
#include "db/coverage_bytes.h"
#include "db/stored_coverage.h"
#include "tests/db/sample_matrix.h"
#include "tests/notation/temporary_directory.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>

using namespace retest;

namespace {

int countOf(const std::string &path, const std::string &query) {
  SQLite::Database database(path, SQLite::OPEN_READONLY);
  return database.execAndGet(query).getInt();
}

std::vector<TestId> testsOf(std::initializer_list<std::uint32_t> numbers) {
  std::vector<TestId> tests;
  for (std::uint32_t number : numbers)
    tests.push_back({number});
  return tests;
}

StoredCoverage coverageOf(Store &store, const std::string &name) {
  return *llvm::cantFail(store.coverage(llvm::cantFail(store.loadIndex(name)).id));
}

} // namespace

TEST_CASE("coverage: a matrix comes back as it was saved, each baseline with its own") {
  TemporaryDirectory directory;
  SampleUnits units(1, 4);
  CoverageMatrix first = sampleMatrix(units, 300), second = sampleMatrix(units, 40, 2);
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &first)) == "");
  REQUIRE(messageOf(store.saveBaseline(infoOf("two"), {units.named()}, {}, &second)) == "");
  REQUIRE(messageOf(store.saveBaseline(infoOf("graph"), {units.named()})) == "");
  CHECK((loadedMatrix(store, "one").matrix == first));
  CHECK((loadedMatrix(store, "two").matrix == second));
  CHECK(loadedMatrix(store, "graph").message == "no coverage");
  CHECK(messageOf(store.check()) == "");

  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &second)) == "");
  CHECK((loadedMatrix(store, "one").matrix == second));
  CHECK(messageOf(store.check()) == "");
}

TEST_CASE("coverage: an empty matrix is a recording without tests") {
  TemporaryDirectory directory;
  SampleUnits units(1, 1);
  CoverageMatrix none;
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &none)) == "");
  LoadedMatrix loaded = loadedMatrix(store, "one");
  CHECK(loaded.message == "");
  CHECK((loaded.matrix == none));
}

TEST_CASE("coverage: parts are read without the rest") {
  TemporaryDirectory directory;
  SampleUnits units(1, 4);
  CoverageMatrix matrix = sampleMatrix(units, 300);
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &matrix)) == "");
  StoredCoverage coverage = coverageOf(store, "");

  auto tests = coverage.tests(TestParts::WithoutFiles);
  REQUIRE(bool(tests));
  REQUIRE(tests->size() == matrix.tests.size());
  RecordedTest bare = matrix.tests[17];
  bare.files.clear();
  CHECK((tests->at(17) == bare));

  auto found = coverage.units({matrix.units[2].unit, "none.cpp", matrix.units[1].unit});
  REQUIRE(bool(found));
  std::vector<UnitCoverage> wanted = {matrix.units[1], matrix.units[2]};
  for (UnitCoverage &unit : wanted)
    unit.counted.clear();
  CHECK((*found == wanted));

  auto classes = coverage.classes({CoverageClassId{400}, CoverageClassId{0}, CoverageClassId{255}});
  REQUIRE(bool(classes));
  CHECK((*classes ==
         std::vector<TestSet>{matrix.classes[400], matrix.classes[0], matrix.classes[255]}));
  auto beyond =
      coverage.classes({CoverageClassId{static_cast<std::uint32_t>(matrix.classes.size())}});
  CHECK(!beyond);
  CHECK(messageOf(beyond.takeError()).find("a coverage class is missing") != std::string::npos);

  auto constructed =
      coverage.constructed({"ns::Class0599", "ns::Class0000", "ns::Class02555", "a", "z"});
  REQUIRE(bool(constructed));
  CHECK(
      (*constructed == std::vector<ClassCoverage>{matrix.constructed[0], matrix.constructed[599]}));

  auto files = coverage.files();
  REQUIRE(bool(files));
  CHECK(!files->empty());
  std::vector<std::vector<FileUse>> ofTest(matrix.tests.size());
  for (const StoredFileUse &file : *files)
    for (TestId test : llvm::cantFail(coverage.users(file.users)))
      ofTest[test.value].push_back(file.use);
  for (std::size_t i = 0; i < matrix.tests.size(); ++i)
    CHECK((ofTest[i] == matrix.tests[i].files));
}

TEST_CASE("coverage: a baseline that is replaced while it is read is an error, not empty") {
  TemporaryDirectory directory;
  SampleUnits units(1, 2);
  CoverageMatrix matrix = sampleMatrix(units, 10);
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &matrix)) == "");
  StoredCoverage coverage = coverageOf(store, "one");
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &matrix)) == "");
  auto found = coverage.units({matrix.units[0].unit});
  REQUIRE(!found);
  CHECK(messageOf(found.takeError()).find("replaced or removed meanwhile") != std::string::npos);
}

TEST_CASE("coverage: goes with its baseline, with the files that only its tests used") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  SampleUnits units(1, 2);
  CoverageMatrix matrix = sampleMatrix(units, 20), other = sampleMatrix(units, 5);
  Store store = openStore(path);
  REQUIRE(messageOf(store.saveBaseline(infoOf("graph"), {units.named()})) == "");
  int paths = countOf(path, "SELECT count(*) FROM path");
  int versions = countOf(path, "SELECT count(*) FROM file_version");
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &matrix)) == "");
  CHECK(countOf(path, "SELECT count(*) FROM file_use") == 5 + 20);
  REQUIRE(messageOf(store.saveBaseline(infoOf("two"), {units.named()}, {}, &other)) == "");
  REQUIRE(messageOf(store.removeBaseline("one")) == "");
  CHECK((loadedMatrix(store, "two").matrix == other));
  CHECK(messageOf(store.check()) == "");
  REQUIRE(messageOf(store.saveBaseline(infoOf("two"), {units.named()})) == "");
  for (const char *table : {"coverage", "test", "coverage_class", "unit_coverage", "constructed",
                            "file_use", "environment"}) {
    CAPTURE(table);
    CHECK(countOf(path, std::string("SELECT count(*) FROM ") + table) == 0);
  }
  CHECK(countOf(path, "SELECT count(*) FROM path") == paths);
  CHECK(countOf(path, "SELECT count(*) FROM file_version") == versions);
}

TEST_CASE("coverage: a matrix that breaks its promises is refused, and nothing is saved") {
  struct Row {
    const char *message;
    void (*spoil)(CoverageMatrix &matrix);
  };
  const Row rows[] = {
      {"a test that is there twice", [](CoverageMatrix &m) { m.tests[4].name = m.tests[3].name; }},
      {"class 0 is not the empty one", [](CoverageMatrix &m) { m.classes[0] = testsOf({1}); }},
      {"class 0 is not the empty one", [](CoverageMatrix &m) { m.classes.clear(); }},
      {"is not sorted", [](CoverageMatrix &m) { m.classes[1] = testsOf({2, 1}); }},
      {"is not sorted", [](CoverageMatrix &m) { m.classes[1] = testsOf({1, 1}); }},
      {"a test that is not there", [](CoverageMatrix &m) { m.classes[1] = testsOf({20}); }},
      {"unmeasured, but in coverage class",
       [](CoverageMatrix &m) {
         m.classes[1] = testsOf({3});
         m.tests[3].unmeasured = "lost";
       }},
      {"functions are not sorted", [](CoverageMatrix &m) { m.units[0].functions[1] = 0; }},
      {"functions are not sorted", [](CoverageMatrix &m) { m.units[0].rows.pop_back(); }},
      {"a coverage class that is not there",
       [](CoverageMatrix &m) { m.units[0].rows[0].entry = {}; }},
      {"units with coverage are not sorted",
       [](CoverageMatrix &m) { std::swap(m.units[0], m.units[1]); }},
      {"no unit of the baseline", [](CoverageMatrix &m) { m.units[1].unit = "src/none.cpp"; }},
      {"a function that it does not define",
       [](CoverageMatrix &m) { m.units[1].functions.back() = 5000; }},
      {"the environment is not sorted",
       [](CoverageMatrix &m) { std::swap(m.environment[0], m.environment[1]); }},
      {"constructed classes are not sorted",
       [](CoverageMatrix &m) { m.constructed[1].name = "a"; }},
      {"a coverage class that is not there",
       [](CoverageMatrix &m) { m.constructed[1].constructed = {9999}; }},
  };
  TemporaryDirectory directory;
  SampleUnits units(1, 2);
  const CoverageMatrix good = sampleMatrix(units, 20);
  Store store = openStore(directory / "retest.db");
  REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &good)) == "");
  for (const Row &row : rows) {
    CAPTURE(row.message);
    CoverageMatrix bad = good;
    row.spoil(bad);
    std::string message = messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &bad));
    CHECK_MESSAGE(message.find(row.message) != std::string::npos, message);
    CHECK((loadedMatrix(store, "one").matrix == good));
  }
}

TEST_CASE("check: coverage that does not fit the graph, and rows that name nothing") {
  struct Row {
    const char *message;
    const char *sql;
  };
  const Row rows[] = {
      {"does not fit its functions", "UPDATE unit_coverage SET functions = (SELECT functions FROM "
                                     "unit_coverage ORDER BY unit DESC LIMIT 1)"},
      {"the functions of a unit that have counters cannot be read",
       "UPDATE unit_coverage SET counted = functions"},
      {"a test is missing", "DELETE FROM test WHERE number = 7"},
      {"a test is missing", "DELETE FROM test WHERE number = 19"},
      {"a coverage class is missing", "DELETE FROM coverage_class"},
      {"a coverage class is missing", "UPDATE file_use SET tests = 5000"},
      {"names another that is not there",
       "PRAGMA foreign_keys = OFF; UPDATE file_use SET version = version + 5000"},
      {"a part of the environment makes no sense",
       "UPDATE environment SET content = x'00' WHERE what = 'link flags'"},
      {"a row of constructed classes makes no sense",
       "UPDATE constructed SET first = 'a' WHERE first LIKE '%0000'"},
      {"compressed bytes", "UPDATE coverage_class SET sets = x'00'"},
      {"a coverage class cannot be read", "UPDATE coverage SET tests = 10; "
                                          "DELETE FROM test WHERE number >= 10"},
      {"cannot be read", "UPDATE coverage SET classes = 2"},
      {"CHECK constraint failed in test",
       "PRAGMA ignore_check_constraints = ON; UPDATE test SET status = 7 WHERE number = 3"},
  };
  SampleUnits units(1, 2);
  const CoverageMatrix good = sampleMatrix(units, 20);
  for (const Row &row : rows) {
    CAPTURE(row.sql);
    TemporaryDirectory directory;
    Store store = openStore(directory / "retest.db");
    REQUIRE(messageOf(store.saveBaseline(infoOf("one"), {units.named()}, {}, &good)) == "");
    REQUIRE(messageOf(store.check()) == "");
    SQLite::Database(directory / "retest.db", SQLite::OPEN_READWRITE).exec(row.sql);
    std::string message = messageOf(store.check());
    CHECK_MESSAGE(message.find(row.message) != std::string::npos, message);
  }
}

TEST_CASE("coverage bytes: sets of every shape, and any bytes without a crash") {
  std::vector<TestSet> sets(6);
  sets[1] = testsOf({0});
  sets[2] = testsOf({0, 1, 2, 3, 4, 5, 6, 7, 999});
  sets[3] = testsOf({3, 500, 998, 999});
  for (std::uint32_t i = 0; i < 1000; ++i) {
    sets[4].push_back({i});
    if (i % 2 == 1)
      sets[5].push_back({i});
  }
  std::string bytes = encodeClasses(sets);
  auto row = ClassRow::read(bytes);
  REQUIRE(bool(row));
  REQUIRE(row->size() == sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    auto set = row->decode(i, 1000);
    REQUIRE(bool(set));
    CHECK((*set == sets[i]));
    auto narrow = row->decode(i, 999);
    CHECK(bool(narrow) == (i < 2));
    llvm::consumeError(narrow.takeError());
  }
  CHECK(encodeClasses(llvm::ArrayRef(sets).slice(4, 1)).size() < 30); // one run

  // zstd frames with any content: the checksum of zstd does not shield the decoders.
  std::mt19937 random(3);
  for (unsigned round = 0; round < 3000; ++round) {
    std::string content;
    for (unsigned size = random() % 40; size > 0; --size)
      content.push_back(static_cast<char>(random() % 3 ? random() % 8 : random()));
    std::string frame = compressed(content, 1);
    auto classes = ClassRow::read(frame);
    if (classes)
      for (std::size_t i = 0; i < classes->size(); ++i)
        llvm::consumeError(classes->decode(i, 100).takeError());
    llvm::consumeError(classes.takeError());
    llvm::consumeError(decodeUnitCoverage(frame, 50).takeError());
    llvm::consumeError(decodeConstructed(frame, 50).takeError());
    llvm::consumeError(decodeCounted(frame).takeError());
    llvm::consumeError(decodeTexts(content).takeError());
  }
}

TEST_CASE("coverage bytes: functions with counters, in runs") {
  const std::vector<std::uint32_t> lists[] = {
      {}, {0}, {7}, {0, 1, 2}, {1, 2, 5, 6, 9}, {0, (1 << 24) - 1}};
  for (const std::vector<std::uint32_t> &list : lists)
    CHECK(llvm::cantFail(decodeCounted(encodeCounted(list))) == list);
  auto tooFar = decodeCounted(encodeCounted({1 << 24}));
  CHECK(!tooFar);
  llvm::consumeError(tooFar.takeError());
}

TEST_CASE("coverage bytes: the example of docs/schema.md") {
  auto bytesOf = [](const std::string &frame) { return llvm::cantFail(decompressed(frame)); };
  CHECK((bytesOf(encodeClasses({testsOf({0, 2})})) == std::string("\1\3\4\0\1", 5)));
  CHECK((bytesOf(encodeClasses({testsOf({0, 1, 2})})) == std::string("\1\3\3\0\2", 5)));
  UnitCoverage unit{"src/shape.cpp", {1}, {{{1}, {{1}, {2}, {1}}}}};
  CHECK((bytesOf(encodeUnitCoverage(unit)) == std::string("\1\1\2\3\0\0\2\0\1\0", 10)));
  CHECK((bytesOf(encodeCounted({0, 1})) == std::string("\1\0\1", 3)));
}
