#pragma once

#include "tests/lab/project_files.h"
#include "tests/lab/raw_tokens.h"

#include <map>
#include <set>
#include <string>

namespace retest {

/// What one function, as a piece of a file, knows about names.
struct FunctionNames {
  struct Local {
    std::set<unsigned> places; ///< its declarations and every reference to them
    bool doubtful = false;     ///< some of them are not written in the function as they are
  };
  std::map<std::string, Local> locals;
  std::set<unsigned> initialised; ///< where constructor initialisers name a member
};

/// The local variables and parameters of all functions, by file and by begin and end of the
/// function. Functions in functions are part of the outer one.
using Locals = std::map<std::string, std::map<std::pair<unsigned, unsigned>, FunctionNames>>;

/// Adds what one unit knows.
void collectLocals(clang::ASTContext &unit, const ProjectFiles &project, Locals &locals);

/// Where in one file a local name can be replaced by any other without effect on the program.
///
/// All locals of one name in one function are renamed together or not at all. They are if every
/// token of this name in the function is one of their places. So what a macro takes as argument
/// (and may print), what is compiled out, labels, types and whatever else the visitor does not know
/// keep their names:
///
///     void f(int a, int b) { assert(a); g(b).a = b; }     // b can be renamed, a can not
struct RenamedLocals {
  unsigned names = 0; ///< names in functions
  std::map<unsigned, std::string> places;
};
RenamedLocals renamedLocals(const Locals::mapped_type &functions, llvm::ArrayRef<RawToken> tokens);

} // namespace retest
