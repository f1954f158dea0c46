#pragma once

#include "cov/module_probes.h"

#include <optional>

namespace retest {

/// A module with the counters of Clang's source-based coverage.
///
/// The join is by mangled name; functions of internal linkage also by the file that the compiler
/// was given. A name with several variants in the module has function-level witnesses (which copy
/// the linker kept is not known), and so has a function whose behaviour its graph does not tell.
class ProbedModule : public ModuleProbes {
public:
  /// `units`: those that may be linked into the module.
  /// REQUIRES: `project` and `names` outlive the object.
  ProbedModule(CountedModule module, const Project &project, const Names &names,
               llvm::ArrayRef<UnitId> units, FileNamer nameOf);

  const CountedModule &counted() const { return module_; }

  llvm::Error add(const ModuleCounters &process, FileNamer nameOf,
                  CrossedFunctions &crossed) override;
  void addProbed(std::vector<FunctionId> &functions) const override;
  void addUnemitted(std::vector<FunctionId> &functions) const override;
  void addUnreliable(std::vector<FunctionId> &functions) const override;
  std::size_t inconsistencies() const override { return inconsistencies_; }
  void addWitnesses(WitnessCounts &counts, FileNamer nameOf) override;

private:
  /// A way through a function that some test took, and what it means. Tests do in most functions
  /// what others did before, though not as often.
  struct Way {
    std::vector<RegionHit> hits;
    CrossedEdges crossed;
  };

  struct Probed {
    std::vector<FunctionId> functions;            ///< several: variants
    bool isWhole = false;                         ///< function-level witnesses
    bool isUncertain = false;                     ///< counters may be those of other functions
    std::optional<FlowWitness> witness;           ///< made when first needed
    std::vector<std::uint64_t> lastCounters = {}; ///< none yet, or those of the first way
    std::vector<Way> ways = {};                   ///< some of them; the last used one first
  };

  const FlowWitness &witnessOf(std::size_t index, FileNamer nameOf);
  llvm::ArrayRef<std::uint64_t> countersOf(std::size_t index, const ModuleCounters &process) const;
  const CrossedEdges &crossedIn(std::size_t index, const ModuleCounters &process, FileNamer nameOf);
  void addFunction(std::size_t index, const ModuleCounters &process, FileNamer nameOf,
                   CrossedFunctions &crossed);

  CountedModule module_;
  const Project &project_;
  const Names &names_;
  std::vector<Probed> probed_; ///< by index in CountedModule::functions
  std::vector<FunctionId> unemitted_;
  std::size_t inconsistencies_ = 0;
};

} // namespace retest
