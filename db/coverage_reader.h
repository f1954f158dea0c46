#pragma once

#include "db/connection.h"
#include "db/coverage_bytes.h"
#include "db/stored_coverage.h"

#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace retest {

/// Reads the rows of one baseline's matrix. Lives in one transaction.
class CoverageReader {
public:
  /// Nothing if the baseline has no coverage.
  static llvm::Expected<std::optional<CoverageReader>> open(Connection &connection,
                                                            BaselineRowId baseline);

  llvm::Expected<std::vector<RecordedTest>> tests(TestParts parts);
  llvm::Expected<TestSet> classOf(CoverageClassId id);
  /// The set of a class of probes or files.
  llvm::Expected<TestSet> setOf(std::uint32_t number);
  llvm::Expected<std::vector<StoredFileUse>> files();
  llvm::Expected<std::vector<UnitCoverage>> units(llvm::ArrayRef<std::string> names);
  llvm::Expected<std::vector<ClassCoverage>> constructed(llvm::ArrayRef<std::string> names);
  llvm::Expected<std::vector<EnvironmentPart>> environment();
  llvm::Expected<CoverageMatrix> whole();

private:
  CoverageReader(Connection &connection, BaselineRowId baseline, std::uint32_t tests,
                 std::uint32_t classes)
      : connection_(connection), baseline_(baseline), testCount_(tests), classCount_(classes) {}

  llvm::Error addFiles(std::vector<RecordedTest> &tests);
  llvm::Expected<std::vector<UnitCoverage>> allUnits();
  llvm::Expected<std::vector<ClassCoverage>> allConstructed();

  Connection &connection_;
  BaselineRowId baseline_;
  std::uint32_t testCount_, classCount_;
  llvm::DenseMap<std::uint32_t, ClassRow> rows_; // by first
};

} // namespace retest
