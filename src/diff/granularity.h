#pragma once

#include "diff/delta.h"

namespace retest {

/// How exactly a delta says what is dangerous.
enum class Granularity : std::uint8_t {
  Edges,     ///< the edges that the walk found
  Functions, ///< each function with such an edge, or that changed at all, as a whole
  Files,     ///< each function of a file in which anything changed or is dangerous
};

/// The delta as seen by a coarser technique: for study, and for coverage that knows no edges.
///
///     edges       f(): x>0 -T-> return 1
///     functions   f(): every call
///     files       f(): every call ; g(): every call      (g is in the same file)
///
/// Who crosses a dangerous edge has entered its function, so each level is a superset of the finer
/// one: a test that the finer level selects is selected by the coarser one. Class entries and
/// programs concern no single function and stay as they are. Only files of the project count:
/// instantiations of external templates are marked one by one at every level.
Delta coarsened(Delta delta, const Project &baseline, const Project &current, const Names &names,
                Granularity granularity);

} // namespace retest
