#pragma once

#include "cli/step_times.h"
#include "cli/tree.h"
#include "db/store.h"
#include "report/graph_view.h"

#include <string>
#include <vector>

namespace retest {

/// Both versions of the project; empty ones if they are known to be the same.
struct Versions {
  Project baseline, current;
  SourceLines baselineLines, currentLines;
};

/// The files that the units of a baseline read, where they lie now.
std::vector<std::string> inputsOf(const BaselineIndex &index, const ProjectPaths &paths);

/// Notes in the tree which units are what they were: their graphs are those of the baseline,
/// wherever it was recorded.
void findGiven(Tree &tree, const BaselineIndex &index, bool lineSensitive);

/// Whether all units are given, and linked in the same way: then nothing has to be loaded.
llvm::Expected<bool> isUnchanged(const Tree &tree, Store &store, const BaselineIndex &index,
                                 Names &names, Context &context);

/// Reads what changed; meanwhile another thread loads the baseline, and has the store and the names
/// for itself.
llvm::Expected<Versions> loadVersions(Tree &tree, const TreeOptions &options, Store &store,
                                      const BaselineIndex &index, Names &names, Context &context,
                                      StepTimes &times);

} // namespace retest
