#pragma once

#include "report/delta_words.h"

#include <llvm/Support/raw_ostream.h>

namespace retest {

struct DeltaDotOptions {
  unsigned maxNodes = 200;    ///< of one version of a function
  unsigned maxFunctions = 12; ///< what is left out is said
  unsigned maxColumns = 50;   ///< of a source line
};

/// The graphs of each function that changed or has a dangerous edge, the baseline at the left and
/// the current one at the right. Dangerous edges are red and say why; nodes without a counterpart
/// are red in the baseline and green in the current graph; a node's tooltip names its counterpart.
void writeDeltaDot(llvm::raw_ostream &out, const DeltaView &view, const Delta &delta,
                   llvm::StringRef title, const DeltaDotOptions &options);

} // namespace retest
