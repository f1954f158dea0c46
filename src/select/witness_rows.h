#pragma once

#include "cov/coverage_matrix.h"
#include "select/witness.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include <map>

namespace retest {

/// What witnesses ask a coverage matrix for; each once, sorted.
struct WantedRows {
  std::vector<FunctionId> functions;
  std::vector<NameId> constructed;

  auto operator<=>(const WantedRows &) const = default;
};

/// The names of the units whose rows hold these functions; each once, sorted.
std::vector<std::string> unitsOf(const WantedRows &wanted, const Project &baseline,
                                 const Names &names);

/// The part of a recorded coverage matrix that some witnesses ask for. What is not here was reached
/// by no test.
struct WitnessRows {
  std::map<FunctionId, FunctionCoverage> functions;
  std::map<NameId, CoverageClassId> constructed;
  std::map<CoverageClassId, std::vector<TestId>> classes; ///< of those above; each sorted
};

/// Takes what is wanted out of the rows of its units and classes. An error if they do not fit the
/// functions: they are of another recording then. `WitnessRows::classes` is left empty.
llvm::Expected<WitnessRows> rowsFor(const WantedRows &wanted, const Project &baseline,
                                    const Names &names, llvm::ArrayRef<UnitCoverage> units,
                                    llvm::ArrayRef<ClassCoverage> constructed);

/// The coverage classes that the rows name; each once, sorted.
std::vector<CoverageClassId> classesOf(const WitnessRows &rows);

/// Says which recorded tests crossed an edge. Unmeasured tests are never among them: they are
/// selected for another reason (S3).
class WitnessJoin {
public:
  /// REQUIRES: all of them outlive the object.
  WitnessJoin(const WitnessRows &rows, llvm::ArrayRef<RecordedTest> tests, const Project &baseline,
              const Names &names);

  /// Sorted.
  std::vector<TestId> testsOf(const Witness &witness) const;

private:
  const std::vector<TestId> &classAt(CoverageClassId id) const;
  std::vector<TestId> testsReaching(llvm::ArrayRef<Probe> probes) const;

  const WitnessRows &rows_;
  std::vector<TestId> all_;                         ///< that were measured
  std::vector<std::vector<TestId>> testsOfProgram_; ///< by index in Project::programs
};

} // namespace retest
