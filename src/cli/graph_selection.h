#pragma once

#include "build/project_paths.h"
#include "graph/program_graph.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace retest {

/// What `retest graph` is asked to show.
struct GraphQuery {
  std::string what;    ///< a function or a file; empty: everything
  std::string program; ///< empty: each function in the first program that has it
};

/// The functions of one program, in the order in which they are shown.
struct ProgramFunctions {
  const ProgramGraph *program = nullptr;
  std::vector<FunctionId> functions;
};

/// The functions that `what` names, or that its file defines; none if there are none.
std::vector<FunctionId> functionsMatching(const Project &project, const ProjectPaths &paths,
                                          const Names &names, const std::string &what);

/// The functions that the query asks for, each once, under a program that links it: calls mean
/// something else in each program. What is not there is an error of kind Usage.
llvm::Expected<std::vector<ProgramFunctions>> selectFunctions(const Project &project,
                                                              const ProjectPaths &paths,
                                                              const Names &names,
                                                              const GraphQuery &query);

} // namespace retest
