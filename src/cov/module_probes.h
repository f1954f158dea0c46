#pragma once

#include "cov/counter_file.h"
#include "cov/flow_witness.h"
#include "graph/program_graph.h"

#include <llvm/ADT/DenseMap.h>

namespace retest {

/// What one test did in each function that it entered: the edges that it may have crossed.
using CrossedFunctions = llvm::DenseMap<std::uint32_t, llvm::BitVector>; ///< by FunctionId

/// A module with counters of one kind, joined with the functions of the graph that are linked into
/// it.
class ModuleProbes {
public:
  virtual ~ModuleProbes() = default;

  /// Adds what a process did. An error if its counters do not tell, or are those of another build
  /// of the module.
  virtual llvm::Error add(const ModuleCounters &process, FileNamer nameOf,
                          CrossedFunctions &crossed) = 0;

  /// The functions that have counters in this module, in no order.
  virtual void addProbed(std::vector<FunctionId> &functions) const = 0;
  /// Those of which the compiler says that it made no code in this module.
  virtual void addUnemitted(std::vector<FunctionId> &functions) const { (void)functions; }
  /// Those whose counters do not tell all: what its callers did counts.
  virtual void addUnreliable(std::vector<FunctionId> &functions) const { (void)functions; }

  /// How often counts contradicted a graph.
  virtual std::size_t inconsistencies() const = 0;

  /// Adds the edges of all functions with counters.
  virtual void addWitnesses(WitnessCounts &counts, FileNamer nameOf) = 0;
};

struct FunctionOfUnit {
  FunctionId function;
  UnitId unit;
};

/// A mangled name without the numbers of lambdas and unnamed types ("_ZZ1fvENK3$_1clEv"): the
/// compiler counts them through the unit in the order in which it comes to them, which the graph
/// does not know. What is told apart by the number alone has one name then.
std::string withoutNumbers(llvm::StringRef symbol);

/// Whether the compiler may give it numbers that the graph does not know: what is local to a
/// function ("_ZZ1fvEN1A1gEv"), also as an argument of a template, and lambdas ("$_0").
bool isNumbered(llvm::StringRef symbol);

/// The functions of some units by mangled name, without numbers.
using Symbols = llvm::StringMap<llvm::SmallVector<FunctionOfUnit, 1>>;

Symbols symbolsOf(const Project &project, const Names &names, llvm::ArrayRef<UnitId> units);

/// Those of a name, sorted: of the units that may be meant, if these have some, else of all.
std::vector<FunctionId> candidates(llvm::StringRef symbol, const Symbols &symbols,
                                   llvm::function_ref<bool(UnitId)> isMeant);

/// What the graph says of it holds for all compilers: others are known by their callers.
bool hasProbe(const Function &function);

/// The functions that a record of counters may belong to, by its name.
struct NamedFunctions {
  std::vector<FunctionId> functions;
  /// Some are of internal linkage, and it is not known which of them it is, or whether others have
  /// the name.
  bool isUncertain = false;
};

/// The process may have crossed all edges of the function.
void addWhole(const Project &project, FunctionId function, CrossedFunctions &crossed);

} // namespace retest
