#pragma once

#include "build/project_paths.h"
#include "db/store.h"

#include <string>
#include <vector>

namespace retest {

/// What `retest who` is asked for: "src/a.cpp:12", else the name of a function.
struct WhoQuery {
  std::string file;
  std::uint32_t line = 0; ///< 0: a function
  std::string function;
};

WhoQuery parseWhoQuery(const std::string &typed);

/// What the query means in a baseline.
struct WhoTarget {
  /// One of a function's nodes on the line; or the function as a whole, if `nodes` is empty.
  struct Part {
    StoredFunction function;
    std::vector<NodeId> nodes;
  };
  std::vector<Part> parts;
};

/// Finds the functions without loading the others. What is not there is an error of kind Usage.
///
/// A line stands for the nodes with an element on it, in any function (a template has many); a line
/// between them stands for the functions around it.
llvm::Expected<WhoTarget> findTarget(Store &store, const BaselineIndex &index,
                                     const ProjectPaths &paths, const WhoQuery &query,
                                     Names &names);

/// The coverage classes of the tests that reached the target, sorted.
llvm::Expected<std::vector<CoverageClassId>> classesReaching(const WhoTarget &target,
                                                             StoredCoverage &coverage);

} // namespace retest
