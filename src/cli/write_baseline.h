#pragma once

#include "cli/tree.h"
#include "db/store.h"

#include <utility>

namespace retest {

/// What a baseline of the tree is called: `name`, else its commit, with "-dirty" if the tree
/// differs from it. Says so.
BaselineInfo describeBaseline(const std::string &name, bool lineSensitive, const Tree &tree,
                              Context &context);

/// Stores the units of the tree, and what its tests did if that is known.
llvm::Error saveBaseline(const BaselineInfo &info, Tree &tree, const ProgramPlan &plan,
                         const Names &names, const CoverageMatrix *coverage);

/// Keeps others from running the tests of a build directory meanwhile. Goes with the process.
class RecordLock {
public:
  static llvm::Expected<RecordLock> take(const ProjectPaths &paths);
  RecordLock(RecordLock &&other) noexcept : file_(std::exchange(other.file_, -1)) {}
  RecordLock &operator=(RecordLock &&) = delete;
  ~RecordLock();

private:
  explicit RecordLock(int file) : file_(file) {}

  int file_;
};

} // namespace retest
