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
    writeEnvironment();
    writeFiles();
    writeClasses();
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
                                        "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
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
      if (test.native) {
        insert.bind(15, test.native->name);
        insert.bind(16, (test.native->isDisabled ? kIsDisabled : 0) |
                            (test.native->bringsOthers ? kBringsOthers : 0));
      } else {
        insert.bind(15); // NULL
        insert.bind(16);
      }
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
    SQLite::Statement insert(database_, "INSERT INTO unit_coverage VALUES (?, ?, ?, ?)");
    for (const UnitCoverage &unit : matrix_.units) {
      auto row = rows.find(unit.unit);
      if (row == rows.end())
        return error("{}: has coverage, but is no unit of the baseline", unit.unit);
      auto definitions = loadDefinitions(connection_, row->second);
      if (!definitions)
        return definitions.takeError();
      auto fits = [&](const std::vector<std::uint32_t> &places) {
        return places.empty() || places.back() < definitions->functions.size();
      };
      if (!fits(unit.functions) || !fits(unit.counted))
        return error("{}: has coverage of a function that it does not define", unit.unit);
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, row->second.value);
      bindBlob(insert, 3, encodeUnitCoverage(unit));
      bindBlob(insert, 4, encodeCounted(unit.counted));
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

  void writeEnvironment() {
    SQLite::Statement insert(database_, "INSERT INTO environment VALUES (?, ?, ?, ?)");
    for (const EnvironmentPart &part : matrix_.environment) {
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, part.binary);
      insert.bind(3, part.what);
      bindBlob(insert, 4, bytesOf(part.content));
      insert.exec();
    }
  }

  /// Most tests use the same files, so each file has one row for all of them.
  void writeFiles() {
    FileWriter files(connection_);
    std::map<std::pair<FileUseKind, std::uint32_t>, TestSet> users;
    for (std::uint32_t i = 0; i < matrix_.tests.size(); ++i)
      for (const FileUse &use : matrix_.tests[i].files) {
        TestSet &tests = users[{use.kind, files.addVersion({use.path, use.content, {}})}];
        if (tests.empty() || tests.back().value != i)
          tests.push_back({i});
      }
    if (users.empty())
      return;
    for (std::size_t i = 0; i < matrix_.classes.size(); ++i)
      numbers_.try_emplace(keyOf(matrix_.classes[i]), i);
    SQLite::Statement insert(database_, "INSERT INTO file_use VALUES (?, ?, ?, ?)");
    for (auto &[use, tests] : users) {
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, static_cast<int>(use.first));
      insert.bind(3, use.second);
      insert.bind(4, static_cast<std::int64_t>(numberOf(std::move(tests))));
      insert.exec();
    }
  }

  static Fingerprint keyOf(const TestSet &tests) {
    return fingerprintOf(
        {reinterpret_cast<const char *>(tests.data()), tests.size() * sizeof(TestId)});
  }

  /// The class of a set of tests, of a probe or one of its own.
  std::size_t numberOf(TestSet tests) {
    auto [number, isNew] =
        numbers_.try_emplace(keyOf(tests), matrix_.classes.size() + fileClasses_.size());
    if (isNew)
      fileClasses_.push_back(std::move(tests));
    return number->second;
  }

  const TestSet &classAt(std::size_t number) const {
    std::size_t ofProbes = matrix_.classes.size();
    return number < ofProbes ? matrix_.classes[number] : fileClasses_[number - ofProbes];
  }

  void writeClasses() {
    SQLite::Statement insert(database_, "INSERT INTO coverage_class VALUES (?, ?, ?)");
    std::size_t count = matrix_.classes.size() + fileClasses_.size();
    for (std::size_t first = 0; first < count; first += kClassesPerRow) {
      std::vector<TestSet> row;
      for (std::size_t i = first; i < count && row.size() < kClassesPerRow; ++i)
        row.push_back(classAt(i));
      insert.reset();
      insert.bind(1, baseline_);
      insert.bind(2, static_cast<std::int64_t>(first));
      bindBlob(insert, 3, encodeClasses(row));
      insert.exec();
    }
  }

  Connection &connection_;
  SQLite::Database &database_;
  std::int64_t baseline_;
  const CoverageMatrix &matrix_;
  std::map<Fingerprint, std::size_t> numbers_; // of classes, by keyOf
  std::vector<TestSet> fileClasses_;           // that no probe has; numbered after those of probes
};

} // namespace

llvm::Error saveCoverage(Connection &connection, std::int64_t baseline,
                         const CoverageMatrix &matrix) {
  if (llvm::Error wrong = validate(matrix))
    return wrong;
  return CoverageWriter(connection, baseline, matrix).write();
}

} // namespace retest
