#pragma once

#include "cli/tree.h"
#include "db/store.h"
#include "graph/program_graph.h"
#include "report/graph_view.h"

namespace retest {

/// One version of the project, linked, with its source.
struct ProjectVersion {
  ProjectPaths paths;
  Project project;
  SourceLines lines;
  BaselineInfo info; ///< of a baseline; empty for a tree
};

/// A recorded baseline by what the user calls it (empty: the newest). Its source comes from the
/// work tree where that still is what was recorded, else from git.
llvm::Expected<ProjectVersion> loadBaselineVersion(const ProjectPaths &paths,
                                                   const std::string &typed, Names &names);

/// The tree as it is now.
llvm::Expected<ProjectVersion> loadTreeVersion(const TreeOptions &options, Names &names,
                                               Context &context);

} // namespace retest
