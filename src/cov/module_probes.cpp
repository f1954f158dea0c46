#include "cov/module_probes.h"

namespace retest {

Symbols symbolsOf(const Project &project, const Names &names, llvm::ArrayRef<UnitId> units) {
  Symbols symbols;
  for (UnitId unit : units)
    for (FunctionId function : project[unit].functions)
      for (NameId symbol : project[function].symbols)
        symbols[names.text(symbol)].push_back({function, unit});
  return symbols;
}

void addWhole(const Project &project, FunctionId function, CrossedFunctions &crossed) {
  llvm::BitVector &edges = crossed[function.value];
  edges.resize(project[function].flow.edges.size());
  edges.set();
}

} // namespace retest
