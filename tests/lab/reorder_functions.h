#pragma once

#include "tests/lab/project_files.h"
#include "tests/lab/raw_tokens.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace retest {

/// A function definition outside of classes, in a file that is no header.
struct Definition {
  unsigned end;
  std::string name;
  bool canMove;          ///< its declaration does nothing but declare the function
  bool isDeclaredBefore; ///< so that other code does not see whether the definition comes early
  std::set<std::string> uses; ///< names of functions and variables, also by way of macros
};

/// By file and begin.
using Definitions = std::map<std::string, std::map<unsigned, Definition>>;

/// Adds what one unit knows. In a file that several units read, what holds in all of them counts.
void collectDefinitions(clang::ASTContext &unit, const ProjectFiles &project,
                        Definitions &definitions);

/// A piece of a file, by its offsets.
struct Piece {
  unsigned begin, end;
};

/// Runs of at least two functions, which may stand in any order.
///
/// Between the functions of a run there are only comments, and no preprocessor directive is in any
/// of them. None uses the name of another that has no declaration in front of the run.
std::vector<std::vector<Piece>> independentRuns(const Definitions::mapped_type &definitions,
                                                llvm::ArrayRef<RawToken> tokens);

} // namespace retest
