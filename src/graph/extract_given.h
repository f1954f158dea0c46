#pragma once

#include "graph/extract_declarations.h"
#include "graph/unit_graph.h"

namespace retest {

// What the project gives to code of libraries, in ways that no graph shows: that code has no name
// of the project in its types, so it is not part of the graph, and its tokens stay the same. All of
// the unit depends on it. Each is zero if there is nothing.

/// How the project specialises templates of others for types of others. `graph` has the unit's
/// variables.
///
///     template <> inline constexpr bool lib::enabled<int> = true;
Fingerprint specialisationsForOthers(UnitContext &unit, const Declarations &declarations,
                                     const UnitGraph &graph);

/// Under which symbols the project declares functions and variables of others.
///
///     int lib_level() __asm__("my_level");
Fingerprint symbolsForOthers(UnitContext &unit, const Declarations &declarations);

/// What declarations outside the project name of it, because a macro of the project, or what stands
/// before the `#include`, lets them: the values of constants, what types are. Variables there that
/// are initialised with something of the project are added to `unit.externalVariables`.
///
///     #define BUFFER_SIZE kProjectSize
///     struct Buffer { char bytes[BUFFER_SIZE]; };
///
/// Cost: a walk over the declarations outside the project, without the standard library's as long
/// as no macro was seen there.
Fingerprint namedByOthers(UnitContext &unit, const UnitGraph &graph);

} // namespace retest
