#pragma once

#include "graph/program_graph.h"

namespace retest {

/// A unit as the linker sees it: names it offers, and names it wants from others.
///
/// Which references an object file really has depends on what the compiler emitted, so there are
/// two answers. `certain` follows only code that is emitted without optimisation: strong functions,
/// the initialiser, strong variables, and what they use inside the unit. `possible` takes every
/// function in the unit (an inline function that nobody calls is usually not emitted), the callee
/// of virtual calls and all that a vtable of a constructed class could name.
struct UnitReferences {
  std::vector<NameId> defined;  ///< weak and strong functions and variables
  std::vector<NameId> certain;  ///< sorted by text; without names that the unit itself emits
  std::vector<NameId> possible; ///< likewise
};

UnitReferences referencesOf(const Project &project, const ProjectUnit &unit, const Names &names);

} // namespace retest
