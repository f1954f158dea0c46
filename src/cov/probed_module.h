#pragma once

#include "cov/counter_file.h"
#include "cov/flow_witness.h"
#include "graph/program_graph.h"

#include <llvm/ADT/DenseMap.h>

#include <optional>

namespace retest {

/// What one test did in each function that it entered: the edges that it may have crossed.
using CrossedFunctions = llvm::DenseMap<std::uint32_t, llvm::BitVector>; ///< by FunctionId

/// An instrumented module, joined with the functions of the graph that are linked into it.
///
/// The join is by mangled name; functions of internal linkage also by the file that the compiler
/// was given. A name with several variants in the module has function-level witnesses (which copy
/// the linker kept is not known), and so has a function whose behaviour its graph does not tell.
class ProbedModule {
public:
  /// `units`: those that may be linked into the module.
  /// REQUIRES: `project` and `names` outlive the object.
  ProbedModule(CountedModule module, const Project &project, const Names &names,
               llvm::ArrayRef<UnitId> units, FileNamer nameOf);

  const CountedModule &counted() const { return module_; }

  /// Adds what a process did. An error if the counters are those of another build of the module.
  llvm::Error add(const ModuleCounters &process, FileNamer nameOf, CrossedFunctions &crossed);

  /// The functions that have counters in this module, in no order.
  void addProbed(std::vector<FunctionId> &functions) const;

  /// How often counts contradicted a graph.
  std::size_t inconsistencies() const { return inconsistencies_; }

  /// Adds the edges of all functions with counters.
  void addWitnesses(WitnessCounts &counts, FileNamer nameOf);

private:
  struct Probed {
    std::vector<FunctionId> functions;  ///< several: variants
    bool isWhole = false;               ///< function-level witnesses
    std::optional<FlowWitness> witness; ///< made when first needed
  };

  const FlowWitness &witnessOf(std::size_t index, FileNamer nameOf);
  void addFunction(std::size_t index, const ModuleCounters &process, FileNamer nameOf,
                   CrossedFunctions &crossed);

  CountedModule module_;
  const Project &project_;
  const Names &names_;
  std::vector<Probed> probed_; ///< by index in CountedModule::functions
  std::size_t inconsistencies_ = 0;
};

} // namespace retest
