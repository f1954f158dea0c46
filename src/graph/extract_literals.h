#pragma once

#include "graph/extract_context.h"

#include <clang/AST/Expr.h>

#include <optional>

namespace retest {

/// Position noise (DESIGN 2.2): what __LINE__, __FILE__, __COUNTER__ and their like leave in the
/// program as it travels into assertion and logging functions. An edit above changes it, though
/// nobody means anything by it.

/// The macro that wrote the literal ("__LINE__"), if it is one that tells a position.
std::optional<llvm::StringRef> positionMacro(const UnitContext &unit,
                                             clang::SourceLocation literal);

/// The meaning of a string literal: exact, except that with `isArgument` text made by `#x` is blind
/// to white space between tokens, and parts that tell a position count by their macro alone.
/// `isExact` is cleared where the literal's length says nothing (so its type must not count).
std::uint64_t hashOfString(UnitContext &unit, const clang::StringLiteral *literal, bool isArgument,
                           bool &isExact);

/// The text without the positions that Clang prints: "f() [T = (lambda at a.cpp:3:5)]".
std::string withoutPositions(llvm::StringRef text);

/// The text of __PRETTY_FUNCTION__: it spells types and enumerators that the function's identity
/// knows only by what they are. Nothing for __func__ and its like, which are the identity.
std::string prettyText(UnitContext &unit, const clang::PredefinedExpr *name,
                       const clang::FunctionDecl *function);

/// The tokens of x in a literal "..." made by #x, whatever its layout was.
std::vector<std::string> stringifiedTokens(llvm::StringRef literal,
                                           const clang::LangOptions &language);

} // namespace retest
