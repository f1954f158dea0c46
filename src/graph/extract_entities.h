#pragma once

#include "graph/extract_context.h"
#include "graph/unit_graph.h"

#include <clang/AST/DeclCXX.h>

namespace retest {

// The things of a unit, each turned into its value.

Function extractFunction(UnitContext &unit, const clang::FunctionDecl *function);

Class extractClass(UnitContext &unit, const clang::RecordDecl *record);

Variable extractVariable(UnitContext &unit, const clang::VarDecl *variable);

/// The function that runs a variable's dynamic initialiser and registers its destructor.
Function extractInitialiser(UnitContext &unit, const clang::VarDecl *variable);
/// A function without a body that stands for another (alias, ifunc).
Function extractAlias(UnitContext &unit, const clang::FunctionDecl *function);
/// A declaration outside of functions that is not understood (assembly, OpenMP, ...), as a part of
/// the unit's initialiser: its text counts.
Function extractUnmodelled(UnitContext &unit, const clang::Decl *declaration, std::size_t number);
/// "ns::registry (initialiser)"
NameId initialiserName(UnitContext &unit, const clang::VarDecl *variable);

/// The function that calls all dynamic initialisers of the unit in order.
Function extractUnitInitialiser(UnitContext &unit, NameId unitName,
                                const std::vector<NameId> &initialisers);

} // namespace retest
