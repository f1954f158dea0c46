#pragma once

#include "graph/extract_context.h"

namespace retest {

/// Of the files that assembly inside C or C++ takes in by itself (`.incbin`, `.include`); zero if
/// there are none. Reading them makes them inputs of the unit.
Fingerprint filesIncludedBy(UnitContext &unit, llvm::StringRef assembly);

} // namespace retest
