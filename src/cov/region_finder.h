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
/// A file can be in a record several times, once for each time that it is included ("file id").
/// Where a place cannot be told from another, the regions of all of them are returned: whoever asks
/// takes them as alternatives.
///
/// Macros are left out. A region that begins inside of one and ends behind it is put around all
/// of the macro, so that what runs before it seems to be in it:
///
///     #define CHECK(x) if (x) {} else fail()      CHECK(f(a)) << "no";
///
/// The region of `else` reaches from `CHECK` to the semicolon; `f(a)` is not counted there.
class RegionFinder {
public:
  RegionFinder(const CountedFunction &function, const Names &names, FileNamer nameOf);

  /// The innermost code regions around the first element of a node; none if it is in a macro, or
  /// the record does not know the place (what a constructor initialises by default stands outside).
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

  const CountedFunction &function_;
  std::vector<NameId> files_;           ///< by file id
  std::vector<std::uint32_t> code_;     ///< by file and start, those that end last first
  std::vector<std::uint32_t> branches_; ///< by start
  std::vector<const Region *> folded_;  ///< conditions that the compiler evaluated
};

} // namespace retest
