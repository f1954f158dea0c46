#pragma once

#include "cov/gcov_module.h"

namespace retest {

/// What a module is joined with.
struct ModuleContext {
  const Project &project;
  const Names &names;
  std::vector<UnitId> units; ///< that may be linked into it
  const UnitsByObject &unitsByObject;
};

/// The counters of a module, of whatever kind they are. An error if it has none.
llvm::Expected<std::unique_ptr<ModuleProbes>>
loadProbes(const std::string &path, const ModuleContext &context, FileNamer nameOf);

} // namespace retest
