#pragma once

#include "diff/granularity.h"
#include "report/delta_words.h"

#include <llvm/Support/raw_ostream.h>

namespace retest {

/// What a version of the project is called in a document.
struct VersionLabel {
  std::string name;       ///< of the baseline, "work tree", or the build directory as it was typed
  std::string commit;     ///< empty if not known
  std::string recordedAt; ///< empty for a tree

  auto operator<=>(const VersionLabel &) const = default;
};

/// The delta as one JSON object; docs/diff.md tells its fields. Complete, however long.
void writeDeltaJson(llvm::raw_ostream &out, const DeltaView &view, const Delta &delta,
                    Granularity granularity, const VersionLabel &baseline,
                    const VersionLabel &current);

llvm::StringRef wordFor(Granularity granularity);

} // namespace retest
