#pragma once

#include "cov/counted_module.h"
#include "graph/flow_graph.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace retest {

/// Gives a file the name that it has in graphs (ProjectPaths::nameOf).
using FileNamer = llvm::function_ref<std::string(llvm::StringRef path)>;

/// Indices in CountedFunction::regions.
using RegionList = llvm::SmallVector<std::uint32_t, 1>;

/// Finds the regions of a function's coverage record that belong to places of its graph.
///
/// A file can be in a record several times: each expansion of a macro, and each inclusion, is one
/// of its own ("file id"), entered through an expansion region. Where a place cannot be told from
/// another, the regions of all of them are returned: whoever asks takes them as alternatives.
class RegionFinder {
public:
  RegionFinder(const CountedFunction &function, const Names &names, FileNamer nameOf);

  /// The innermost code regions around the first element of a node; none if the record does not
  /// know the place (what a constructor initialises by default stands outside of it).
  ///
  /// A test that is at the node has counted in one of them. To make sure of that, regions inside
  /// of a condition that the compiler evaluated do not count: their code was never emitted.
  RegionList around(const Node &node) const;

  /// The branch regions of a condition; none if it is not known or was evaluated by the compiler.
  RegionList branchesOf(const SourceRange &condition) const;

private:
  using Region = llvm::coverage::CounterMappingRegion;
  struct Point {
    unsigned file = 0; ///< id in the record
    unsigned line = 0, column = 0;
  };

  RegionList innermost(Point point) const;
  std::optional<unsigned> expansionAt(Point point) const;

  const CountedFunction &function_;
  std::vector<NameId> files_; ///< by file id
};

} // namespace retest
