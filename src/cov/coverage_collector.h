#pragma once

#include "cov/carried_coverage.h"
#include "cov/formats.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

#include <functional>
#include <map>
#include <memory>

namespace retest {

class MatrixBuilder;

/// The program whose tests are recorded.
struct RecordedProgram {
  const Project *project = nullptr;
  const Names *names = nullptr;
  /// The name that a file has in graphs (ProjectPaths::nameOf); asked often for the same files.
  std::function<std::string(llvm::StringRef path)> nameOf;
  /// By UnitId: whether the unit was compiled with counters.
  std::vector<bool> isCounted;
  /// By UnitId: the path of its object. Needed for GCC builds only.
  std::vector<std::string> objects = {};
  /// Whether Clang optimises some of the units that have counters.
  bool isOptimised = false;
};

/// Turns the counters of tests into a coverage matrix.
///
/// Of each test only the edges that it crossed are kept, each distinct set of a function once: the
/// counters of thousands of tests never lie side by side.
class CoverageCollector {
public:
  explicit CoverageCollector(RecordedProgram program);

  /// Makes a module known, before tests use it: `image` is its name in ProgramGraph::images. An
  /// error if it has no counters.
  llvm::Error addModule(const std::string &path, llvm::StringRef image);
  bool hasModule(llvm::StringRef path) const { return modules_.contains(path); }

  /// The module is not built at this version, and no test ran it. Which of its functions have
  /// counters is as it was for those that are carried.
  void addUnbuilt(llvm::StringRef image);

  /// What tests did that were not run again. REQUIRES: nothing else is said of these tests.
  void addCarried(CarriedCoverage carried) { carried_ = std::move(carried); }

  /// What a fork server of `binary` did before `main`: it belongs to all tests that it ran.
  llvm::Error addBeforeMain(llvm::StringRef binary, llvm::ArrayRef<ModuleCounters> processes);

  /// All tests run once more. A test that does not do the same each time keeps the union.
  void beginRound();
  /// The tests that did not. REQUIRES: finish was called.
  llvm::ArrayRef<TestId> unstable() const { return unstable_; }

  /// What the processes of a test did, in place of what was said of it in this round. `server`: the
  /// binary whose fork server ran it, or empty. An error if they ran a module that is not known, or
  /// one that was built anew: then the test was not measured.
  llvm::Error addTest(TestId test, llvm::ArrayRef<ModuleCounters> processes,
                      llvm::StringRef server);

  /// The matrix. `tests` are in the order of TestId; of those that were not measured nothing is
  /// taken, whatever was added.
  CoverageMatrix finish(std::vector<RecordedTest> tests);

  /// Of all functions with counters.
  struct Statistics : WitnessCounts {
    std::size_t inconsistencies = 0; ///< counts of a function and a process contradicted the graph
  };
  Statistics statistics();

private:
  /// The distinct sets of edges that tests crossed in one function.
  using Patterns = std::vector<llvm::BitVector>;
  /// What a test did: in this function, the edges of this pattern.
  struct Crossed {
    std::uint32_t function, pattern;

    auto operator<=>(const Crossed &) const = default;
  };
  struct MeasuredTest {
    std::vector<Crossed> crossed;
    std::string server;
  };
  using EdgesOf = std::map<std::uint32_t, llvm::BitVector>; ///< by function

  void addTo(EdgesOf &all, const MeasuredTest &measured) const;
  EdgesOf wholeOf(const MeasuredTest &measured) const;

  llvm::Expected<CrossedFunctions> crossedBy(llvm::ArrayRef<ModuleCounters> processes);
  std::uint32_t patternOf(std::uint32_t function, const llvm::BitVector &edges);
  std::string nameOf(llvm::StringRef path);
  std::vector<UnitId> unitsOf(llvm::StringRef image) const;
  void addProbes(MatrixBuilder &builder) const;
  void addUncountedUnits(const llvm::BitVector &isRecorded, MatrixBuilder &builder) const;
  void addUnbuiltProbes(MatrixBuilder &builder) const;

  RecordedProgram program_;
  llvm::StringMap<std::string> fileNames_;
  UnitsByObject unitsByObject_;
  llvm::StringMap<std::unique_ptr<ModuleProbes>> modules_; ///< by path
  llvm::StringSet<> images_;                               ///< of modules_
  llvm::DenseMap<std::uint32_t, Patterns> patterns_;       ///< by FunctionId
  llvm::StringMap<CrossedFunctions> beforeMain_;           ///< by binary
  std::map<std::uint32_t, MeasuredTest> measured_;         ///< by TestId; in this round
  std::map<std::uint32_t, MeasuredTest> earlier_;          ///< in those before
  std::vector<TestId> unstable_;
  llvm::StringSet<> unbuilt_; ///< images
  CarriedCoverage carried_;
};

} // namespace retest
