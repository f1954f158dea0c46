#pragma once

#include "cli/tree.h"
#include "support/file_state.h"

#include <map>

namespace retest {

/// The binaries of a build as they were at some moment. Their contents count: a build whose
/// commands run each time may link the same program once more.
class BuiltBinaries {
public:
  BuiltBinaries() = default;
  BuiltBinaries(const Tree &tree, const ProgramPlan &plan, const Names &names);

  /// One that is another one now, or gone; empty: none is.
  std::string changed();

private:
  FileStates states_;
  std::map<std::string, std::optional<Fingerprint>> contents_; ///< by path
};

} // namespace retest
