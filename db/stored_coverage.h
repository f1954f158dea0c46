#pragma once

#include "cov/coverage_matrix.h"
#include "support/ids.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace retest {

struct Connection;
struct BaselineRowTag;
/// The number of a stored baseline; never used again for another.
using BaselineRowId = Id<BaselineRowTag>;

enum class TestParts { WithoutFiles, All };

/// A file that tests used, with all of them.
struct StoredFileUse {
  FileUse use;
  std::uint32_t users = 0; ///< number of a set: StoredCoverage::users

  auto operator<=>(const StoredFileUse &) const = default;
};

/// The coverage matrix of one stored baseline, of which each function reads only what it is asked
/// for. Belongs to a Store, which has to live longer.
///
/// Invariant: all answers are of one recording. If the baseline is replaced or removed meanwhile,
/// they are errors: an empty answer would mean that no test reached something.
class StoredCoverage {
public:
  StoredCoverage(Connection &connection, BaselineRowId baseline)
      : connection_(&connection), baseline_(baseline) {}

  /// By TestId.
  llvm::Expected<std::vector<RecordedTest>> tests(TestParts parts);
  /// The tests of each class, in the order asked for.
  llvm::Expected<std::vector<std::vector<TestId>>> classes(llvm::ArrayRef<CoverageClassId> ids);
  /// The units of these names that have rows, sorted by name; without UnitCoverage::counted.
  llvm::Expected<std::vector<UnitCoverage>> units(llvm::ArrayRef<std::string> names);
  /// The files that tests used, sorted. Many tests use the same, so that whoever wants to know
  /// which have changed asks here.
  llvm::Expected<std::vector<StoredFileUse>> files();
  /// The tests of StoredFileUse::users.
  llvm::Expected<std::vector<TestId>> users(std::uint32_t number);
  /// The classes of these names that a test constructed, sorted by name.
  llvm::Expected<std::vector<ClassCoverage>> constructed(llvm::ArrayRef<std::string> names);
  /// CoverageMatrix::environment.
  llvm::Expected<std::vector<EnvironmentPart>> environment();
  llvm::Expected<CoverageMatrix> whole();

private:
  Connection *connection_;
  BaselineRowId baseline_;
};

} // namespace retest
