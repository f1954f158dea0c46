#pragma once

#include "graph/extract_context.h"
#include "graph/unit_graph.h"

#include <clang/AST/DeclCXX.h>

namespace retest {

// What the extraction of functions, variables and initialisers has in common.

Linkage linkageOf(clang::GVALinkage linkage, const clang::Decl *declaration);

/// Whether an attribute or a pragma puts the variable in a section of its own, where code that
/// walks over the section reads it.
bool isInNamedSection(const clang::VarDecl *variable);

FunctionKind kindOf(const clang::FunctionDecl *function);

/// Mangled names; constructors and destructors have several.
std::vector<NameId> symbolsOf(UnitContext &unit, const clang::NamedDecl *declaration);

/// Adds the tokens of the declaration as written, without comments and layout: for code whose
/// behaviour the graph does not show.
void addText(UnitContext &unit, const clang::Decl *declaration, FingerprintBuilder &hash);

/// Adds the clauses of OpenMP directives in the function. What they depend on becomes a use of the
/// entry.
void addClauses(UnitContext &unit, const clang::FunctionDecl *function, FlowGraph &flow,
                FingerprintBuilder &hash);

/// Sets the fingerprints of a function whose flow graph is there.
void setFingerprints(UnitContext &unit, Function &function, const FingerprintBuilder &declared);

/// Whether a header outside the project declares the function or variable, so that its code may use
/// it.
template <class Declaration>
bool isDeclaredOutside(UnitContext &unit, const Declaration *declared) {
  return llvm::any_of(declared->redecls(), [&](const Declaration *declaration) {
    return !declaration->isImplicit() && declaration->getLocation().isValid() &&
           declaration->getTemplateSpecializationKind() != clang::TSK_ImplicitInstantiation &&
           !unit.isInProject(declaration);
  });
}

} // namespace retest
