#include "db/coverage_reader.h"

#include "support/bytes.h"

#include <algorithm>

namespace retest {
namespace {

// As many as a hundred dangerous edges touch.
constexpr std::size_t kOpenRows = 256;

llvm::Error senseless(const char *what) {
  return error(ErrorKind::Store, "{} makes no sense", what);
}

llvm::Expected<RecordedTest> testIn(SQLite::Statement &row) {
  RecordedTest test;
  test.binary = row.getColumn(1).getString();
  test.name = row.getColumn(2).getString();
  if (!row.getColumn(3).isNull())
    test.framework = static_cast<Framework>(row.getColumn(3).getInt());
  test.suite = row.getColumn(4).getString();
  test.file = row.getColumn(5).getString();
  test.line = row.getColumn(6).getUInt();
  auto entries = decodeTexts(blobOf(row.getColumn(7)));
  if (!entries)
    return entries.takeError();
  test.entries = std::move(*entries);
  ByteReader settings(blobOf(row.getColumn(8)));
  test.settings = settings.fingerprint();
  int status = row.getColumn(9).getInt(), framework = row.getColumn(3).getInt();
  // The schema checks these when it writes, but damaged bytes were not written by it.
  if (settings.hasFailed() || !settings.isAtEnd() || status < 0 ||
      status > static_cast<int>(TestStatus::NotRun) || framework < 0 ||
      framework > static_cast<int>(Framework::BoostTest))
    return senseless("a test");
  test.status = static_cast<TestStatus>(status);
  test.duration = std::chrono::microseconds(row.getColumn(10).getInt64());
  test.unmeasured = row.getColumn(11).getString();
  auto programs = decodeTexts(blobOf(row.getColumn(12)));
  if (!programs)
    return programs.takeError();
  test.programs = std::move(*programs);
  if (!row.getColumn(13).isNull()) {
    int flags = row.getColumn(14).getInt();
    test.native = {row.getColumn(13).getString(), (flags & kIsDisabled) != 0,
                   (flags & kBringsOthers) != 0};
  }
  return test;
}

} // namespace

llvm::Expected<std::optional<CoverageReader>> CoverageReader::open(Connection &connection,
                                                                   BaselineRowId baseline) {
  SQLite::Statement row(connection.database,
                        "SELECT tests, classes FROM coverage WHERE baseline = ?");
  row.bind(1, baseline.value);
  if (!row.executeStep())
    return std::nullopt;
  std::int64_t tests = row.getColumn(0).getInt64(), classes = row.getColumn(1).getInt64();
  if (tests < 0 || tests > kMostTests || classes < 1 || classes > kMostClasses)
    return senseless("the number of tests");
  return CoverageReader(connection, baseline, static_cast<std::uint32_t>(tests),
                        static_cast<std::uint32_t>(classes));
}

llvm::Expected<std::vector<RecordedTest>> CoverageReader::tests(TestParts parts) {
  SQLite::Statement rows(connection_.database,
                         "SELECT number, binary, name, framework, suite, file, line, entries, "
                         "settings, status, duration, unmeasured, programs, native_name, "
                         "native_flags FROM test "
                         "WHERE baseline = ? ORDER BY number");
  rows.bind(1, baseline_.value);
  std::vector<RecordedTest> tests;
  while (rows.executeStep()) {
    if (rows.getColumn(0).getInt64() != static_cast<std::int64_t>(tests.size()))
      return error(ErrorKind::Store, "a test is missing");
    auto test = testIn(rows);
    if (!test)
      return test.takeError();
    tests.push_back(std::move(*test));
  }
  if (tests.size() != testCount_)
    return error(ErrorKind::Store, "a test is missing");
  if (parts == TestParts::All)
    if (llvm::Error wrong = addFiles(tests))
      return wrong;
  return tests;
}

llvm::Expected<std::vector<StoredFileUse>> CoverageReader::files() {
  SQLite::Statement rows(connection_.database,
                         "SELECT kind, tests, content, name FROM file_use "
                         "LEFT JOIN file_version ON file_version.id = version "
                         "LEFT JOIN path ON path.id = file_version.path WHERE baseline = ?");
  rows.bind(1, baseline_.value);
  std::vector<StoredFileUse> files;
  while (rows.executeStep()) {
    int kind = rows.getColumn(0).getInt();
    std::int64_t number = rows.getColumn(1).getInt64();
    ByteReader content(blobOf(rows.getColumn(2)));
    FileUse use{static_cast<FileUseKind>(kind), blobOf(rows.getColumn(3)).str(),
                content.fingerprint()};
    if (kind < 0 || kind > static_cast<int>(FileUseKind::Found) || content.hasFailed() ||
        rows.getColumn(3).isNull() || number < 0 || number > UINT32_MAX)
      return senseless("a file that a test used");
    files.push_back({std::move(use), static_cast<std::uint32_t>(number)});
  }
  std::sort(files.begin(), files.end());
  return files;
}

llvm::Error CoverageReader::addFiles(std::vector<RecordedTest> &tests) {
  auto files = this->files();
  if (!files)
    return files.takeError();
  for (const StoredFileUse &file : *files) {
    auto users = setOf(file.users);
    if (!users)
      return users.takeError();
    for (TestId test : *users)
      tests[test.value].files.push_back(file.use);
  }
  for (RecordedTest &test : tests)
    std::sort(test.files.begin(), test.files.end());
  return llvm::Error::success();
}

llvm::Expected<TestSet> CoverageReader::setOf(std::uint32_t number) {
  std::uint32_t first = number / kClassesPerRow * kClassesPerRow;
  auto known = rows_.find(first);
  if (known == rows_.end()) {
    SQLite::Statement query(connection_.database,
                            "SELECT sets FROM coverage_class WHERE baseline = ? AND first = ?");
    query.bind(1, baseline_.value);
    query.bind(2, first);
    if (!query.executeStep())
      return error(ErrorKind::Store, "a coverage class is missing");
    auto row = ClassRow::read(blobOf(query.getColumn(0)));
    if (!row)
      return row.takeError();
    if (rows_.size() >= kOpenRows)
      rows_.clear();
    known = rows_.try_emplace(first, std::move(*row)).first;
  }
  return known->second.decode(number - first, testCount_);
}

llvm::Expected<TestSet> CoverageReader::classOf(CoverageClassId id) {
  if (id.value >= classCount_)
    return error(ErrorKind::Store, "a coverage class is missing");
  return setOf(id.value);
}

llvm::Expected<std::vector<UnitCoverage>> CoverageReader::units(llvm::ArrayRef<std::string> names) {
  SQLite::Statement query(connection_.database,
                          "SELECT functions FROM unit JOIN unit_coverage ON unit = unit.id "
                          "WHERE name = ? AND baseline = ?");
  std::vector<std::string> sorted = names.vec();
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<UnitCoverage> units;
  for (const std::string &name : sorted) {
    query.reset();
    query.bind(1, name);
    query.bind(2, baseline_.value);
    if (!query.executeStep())
      continue;
    auto unit = decodeUnitCoverage(blobOf(query.getColumn(0)), classCount_);
    if (!unit)
      return unit.takeError();
    unit->unit = name;
    units.push_back(std::move(*unit));
  }
  return units;
}

llvm::Expected<std::vector<UnitCoverage>> CoverageReader::allUnits() {
  SQLite::Statement rows(
      connection_.database,
      "SELECT name, functions, counted FROM unit JOIN unit_coverage ON unit = unit.id "
      "WHERE baseline = ? ORDER BY name");
  rows.bind(1, baseline_.value);
  std::vector<UnitCoverage> units;
  while (rows.executeStep()) {
    auto unit = decodeUnitCoverage(blobOf(rows.getColumn(1)), classCount_);
    if (!unit)
      return unit.takeError();
    unit->unit = rows.getColumn(0).getString();
    auto counted = decodeCounted(blobOf(rows.getColumn(2)));
    if (!counted)
      return counted.takeError();
    unit->counted = std::move(*counted);
    units.push_back(std::move(*unit));
  }
  return units;
}

llvm::Expected<std::vector<ClassCoverage>>
CoverageReader::constructed(llvm::ArrayRef<std::string> names) {
  // Text is compared byte by byte, here as there.
  SQLite::Statement query(connection_.database,
                          "SELECT classes FROM constructed WHERE baseline = ? AND first <= ? "
                          "ORDER BY first DESC LIMIT 1");
  std::vector<ClassCoverage> found;
  for (const std::string &name : names) {
    query.reset();
    query.bind(1, baseline_.value);
    query.bind(2, name);
    if (!query.executeStep())
      continue;
    auto row = decodeConstructed(blobOf(query.getColumn(0)), classCount_);
    if (!row)
      return row.takeError();
    for (ClassCoverage &type : *row)
      if (type.name == name)
        found.push_back(std::move(type));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

llvm::Expected<std::vector<ClassCoverage>> CoverageReader::allConstructed() {
  SQLite::Statement rows(connection_.database,
                         "SELECT first, classes FROM constructed WHERE baseline = ? "
                         "ORDER BY first");
  rows.bind(1, baseline_.value);
  std::vector<ClassCoverage> all;
  while (rows.executeStep()) {
    auto row = decodeConstructed(blobOf(rows.getColumn(1)), classCount_);
    if (!row)
      return row.takeError();
    if (row->empty() || row->front().name != rows.getColumn(0).getString())
      return senseless("a row of constructed classes");
    all.insert(all.end(), std::make_move_iterator(row->begin()),
               std::make_move_iterator(row->end()));
  }
  return all;
}

llvm::Expected<std::vector<EnvironmentPart>> CoverageReader::environment() {
  SQLite::Statement rows(connection_.database,
                         "SELECT binary, what, content FROM environment WHERE baseline = ? "
                         "ORDER BY binary, what");
  rows.bind(1, baseline_.value);
  std::vector<EnvironmentPart> parts;
  while (rows.executeStep()) {
    ByteReader content(blobOf(rows.getColumn(2)));
    parts.push_back(
        {blobOf(rows.getColumn(0)).str(), blobOf(rows.getColumn(1)).str(), content.fingerprint()});
    if (content.hasFailed() || !content.isAtEnd())
      return senseless("a part of the environment");
  }
  return parts;
}

llvm::Expected<CoverageMatrix> CoverageReader::whole() {
  CoverageMatrix matrix;
  auto tests = this->tests(TestParts::All);
  if (!tests)
    return tests.takeError();
  matrix.tests = std::move(*tests);
  matrix.classes.clear();
  for (std::uint32_t number = 0; number < classCount_; ++number) {
    auto set = setOf(number);
    if (!set)
      return set.takeError();
    matrix.classes.push_back(std::move(*set));
  }
  auto units = allUnits();
  if (!units)
    return units.takeError();
  matrix.units = std::move(*units);
  auto constructed = allConstructed();
  if (!constructed)
    return constructed.takeError();
  matrix.constructed = std::move(*constructed);
  auto environment = this->environment();
  if (!environment)
    return environment.takeError();
  matrix.environment = std::move(*environment);
  return matrix;
}

} // namespace retest
