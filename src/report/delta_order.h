#pragma once

#include "diff/delta.h"

namespace retest {

/// The same delta with its lists in the order of names as text. Ids of names depend on the order in
/// which units were read; what is shown must not.
Delta inTextOrder(Delta delta, const Project &baseline, const Project &current, const Names &names);

} // namespace retest
