#include "db/coverage_writer.h"

#include "db/coverage_bytes.h"
#include "db/units.h"
#include "db/valid_matrix.h"

#include <map>

namespace retest {
namespace {

std::string bytesOf(Fingerprint fingerprint) {
  ByteWriter bytes;
  bytes.fingerprint(fingerprint);
  return bytes.take();
}

class CoverageWriter {
public:
  CoverageWriter(Connection &connection, std::int64_t baseline, const CoverageMatrix &matrix)
      : connection_(connection), database_(connection.database), baseline_(baseline),
        matrix_(matrix) {}

  llvm::Error write() {
    writeCounts();
    writeTests();
    if (llvm::Error wrong = writeUnits())
      return wrong;
    writeConstructed();
    std::vector<TestSet> classes = matrix_.classes;
    writeFiles(classes);
    writeClasses(classes);
    return llvm::Error::success();
  }

private:
  void writeCounts() {
    SQLite::Statement insert(database_, "INSERT INTO coverage VALUES (?, ?, ?)");
    insert.bind(1, baseline_);
    insert.bind(2, static_cast<std::int64_t>(matrix_.tests.size()));
    insert.bind(3, static_cast<std::int64_t>(matrix_.classes.size()));
    insert.exec();
  }

  void writeTests() {
    SQLite::Statement insert(database_, "INSERT INTO test VALUES "
                                        "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (std::size_t i = 0; i < matrix_.tests.size(); ++i) {
      const RecordedTest &test = matrix_.tests[i];
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, static_cast<std::int64_t>(i));
      insert.bind(3, test.binary);
      insert.bind(4, test.name);
      if (test.framework)
        insert.bind(5, static_cast<int>(*test.framework));
      else
        insert.bind(5); // NULL
      insert.bind(6, test.suite);
      insert.bind(7, test.file);
      insert.bind(8, static_cast<std::int64_t>(test.line));
      bindBlob(insert, 9, encodeTexts(test.entries));
      bindBlob(insert, 10, bytesOf(test.settings));
      insert.bind(11, static_cast<int>(test.status));
      insert.bind(12, static_cast<std::int64_t>(test.duration.count()));
      insert.bind(13, test.unmeasured);
      bindBlob(insert, 14, encodeTexts(test.programs));
      insert.exec();
    }
  }

  llvm::StringMap<UnitRowId> unitRows() {
    llvm::StringMap<UnitRowId> units;
    SQLite::Statement rows(database_, "SELECT name, unit.id FROM unit JOIN baseline_unit "
                                      "ON unit = unit.id WHERE baseline = ?");
    rows.bind(1, baseline_);
    while (rows.executeStep())
      units.try_emplace(blobOf(rows.getColumn(0)), UnitRowId{rows.getColumn(1).getUInt()});
    return units;
  }

  llvm::Error writeUnits() {
    llvm::StringMap<UnitRowId> rows = unitRows();
    SQLite::Statement insert(database_, "INSERT INTO unit_coverage VALUES (?, ?, ?)");
    for (const UnitCoverage &unit : matrix_.units) {
      auto row = rows.find(unit.unit);
      if (row == rows.end())
        return error("{}: has coverage, but is no unit of the baseline", unit.unit);
      auto definitions = loadDefinitions(connection_, row->second);
      if (!definitions)
        return definitions.takeError();
      if (!unit.functions.empty() && unit.functions.back() >= definitions->functions.size())
        return error("{}: has coverage of a function that it does not define", unit.unit);
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, row->second.value);
      bindBlob(insert, 3, encodeUnitCoverage(unit));
      insert.exec();
    }
    return llvm::Error::success();
  }

  void writeConstructed() {
    SQLite::Statement insert(database_, "INSERT INTO constructed VALUES (?, ?, ?)");
    llvm::ArrayRef<ClassCoverage> rest = matrix_.constructed;
    while (!rest.empty()) {
      llvm::ArrayRef<ClassCoverage> row = rest.take_front(kClassesPerRow);
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, row.front().name);
      bindBlob(insert, 3, encodeConstructed(row));
      insert.exec();
      rest = rest.drop_front(row.size());
    }
  }

  /// Most tests use the same files, so each file has one row for all of them. Sets of tests that
  /// are no class of a probe are added to `classes`.
  void writeFiles(std::vector<TestSet> &classes) {
    FileWriter files(connection_);
    std::map<std::pair<FileUseKind, std::uint32_t>, TestSet> users;
    for (std::uint32_t i = 0; i < matrix_.tests.size(); ++i)
      for (const FileUse &use : matrix_.tests[i].files) {
        TestSet &tests = users[{use.kind, files.addVersion({use.path, use.content, {}})}];
        if (tests.empty() || tests.back().value != i)
          tests.push_back({i});
      }
    std::map<TestSet, std::size_t> numbers;
    if (!users.empty())
      for (std::size_t i = 0; i < classes.size(); ++i)
        numbers.try_emplace(classes[i], i);
    SQLite::Statement insert(database_, "INSERT INTO file_use VALUES (?, ?, ?, ?)");
    for (const auto &[use, tests] : users) {
      auto [number, isNew] = numbers.try_emplace(tests, classes.size());
      if (isNew)
        classes.push_back(tests);
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, static_cast<int>(use.first));
      insert.bind(3, use.second);
      insert.bind(4, static_cast<std::int64_t>(number->second));
      insert.exec();
    }
  }

  void writeClasses(llvm::ArrayRef<TestSet> classes) {
    SQLite::Statement insert(database_, "INSERT INTO coverage_class VALUES (?, ?, ?)");
    for (std::size_t first = 0; first < classes.size(); first += kClassesPerRow) {
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, static_cast<std::int64_t>(first));
      bindBlob(insert, 3, encodeClasses(classes.drop_front(first).take_front(kClassesPerRow)));
      insert.exec();
    }
  }

  Connection &connection_;
  SQLite::Database &database_;
  std::int64_t baseline_;
  const CoverageMatrix &matrix_;
};

} // namespace

llvm::Error saveCoverage(Connection &connection, std::int64_t baseline,
                         const CoverageMatrix &matrix) {
  if (llvm::Error wrong = validate(matrix))
    return wrong;
  return CoverageWriter(connection, baseline, matrix).write();
}

} // namespace retest
