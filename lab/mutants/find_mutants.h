#pragma once

#include "tests/lab/project_files.h"

#include <set>
#include <string>

namespace retest {

/// One small change of a source file: `replacement` instead of the bytes from `begin` to `end`.
struct Mutant {
  std::string file; ///< relative to the root
  unsigned begin, end;
  std::string replacement;
  std::string kind; ///< "arithmetic", "condition", ...: what find_mutants.cpp tells
  unsigned line, column;
  std::string function; ///< in whose body it is

  auto operator<=>(const Mutant &) const = default;
};

/// Adds the mutants of all function bodies in the main file of a unit.
///
/// Each changes what is executed: values that only the compiler uses (types, `case` values,
/// template arguments, `constexpr`) and text in macros are left alone. Most compile; whether one
/// does is only known from trying. Templates are read as they are written.
void findMutants(clang::ASTContext &unit, const ProjectFiles &project, std::set<Mutant> &found);

} // namespace retest
