#pragma once

#include "graph/extract_context.h"
#include "graph/flow_graph.h"

namespace retest {

/// Of the files that assembly inside C or C++ takes in by itself (`.incbin`, `.include`); zero if
/// there are none. Reading them makes them inputs of the unit.
Fingerprint filesIncludedBy(UnitContext &unit, llvm::StringRef assembly);

/// The variables that the text may name. Each word counts: what is no variable will not change.
std::vector<Use> variablesNamedBy(UnitContext &unit, llvm::StringRef assembly);

} // namespace retest
