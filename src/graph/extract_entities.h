#pragma once

#include "graph/extract_context.h"
#include "graph/unit_graph.h"

#include <clang/AST/DeclCXX.h>

namespace retest {

// The things of a unit, each turned into its value.

Function extractFunction(UnitContext &unit, const clang::FunctionDecl *function);

Class extractClass(UnitContext &unit, const clang::RecordDecl *record);

Variable extractVariable(UnitContext &unit, const clang::VarDecl *variable);

/// Whether code that does not name the variable may read it, as soon as the program starts: it is
/// in a named section, or a header outside the project declares it.
bool isReadFromOutside(UnitContext &unit, const clang::VarDecl *variable);
/// The function that runs a variable's dynamic initialiser and registers its destructor. It also
/// stands for a constant one, if others may read the variable.
Function extractInitialiser(UnitContext &unit, const clang::VarDecl *variable);
/// The symbol for which a declaration without a definition stands (alias, ifunc, asm label).
llvm::StringRef aliasedSymbol(const clang::Decl *declaration);
/// A function without a body that stands for another: `target`.
Function extractAlias(UnitContext &unit, const clang::FunctionDecl *function, NameId target);
/// The same for a variable.
Variable extractAlias(UnitContext &unit, const clang::VarDecl *variable, NameId target);
/// A declaration outside of functions that is not understood (assembly, OpenMP, ...), as a part of
/// the unit's initialiser: its text counts.
Function extractUnmodelled(UnitContext &unit, const clang::Decl *declaration, std::size_t number);
/// "ns::registry (initialiser)"
NameId initialiserName(UnitContext &unit, const clang::VarDecl *variable);

/// The function that calls all dynamic initialisers of the unit in order.
Function extractUnitInitialiser(UnitContext &unit, NameId unitName,
                                const std::vector<NameId> &initialisers);

} // namespace retest
