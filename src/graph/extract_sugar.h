#pragma once

#include <clang/AST/Stmt.h>

namespace retest {

/// Looks through what has no meaning of its own: parentheses, full expressions, substituted
/// template parameters, conversions that change nothing at run time.
const clang::Stmt *withoutSugar(const clang::Stmt *statement);

} // namespace retest
