#pragma once

#include "graph/extract_declarations.h"
#include "graph/unit_graph.h"

namespace retest {

/// How the project specialises templates of others for types of others: zero if it does not.
///
///     template <> inline constexpr bool lib::enabled<int> = true;
///
/// Code of the library may turn on this, by a concept or an overload, without a name of the project
/// in it: no graph shows it, so all of the unit depends on it. `graph` has the unit's variables.
Fingerprint specialisationsForOthers(UnitContext &unit, const Declarations &declarations,
                                     const UnitGraph &graph);

} // namespace retest
