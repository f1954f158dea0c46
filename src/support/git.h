#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace retest {

/// Where a work tree stands.
struct GitState {
  std::string commit;   ///< of HEAD; empty before the first commit
  bool isDirty = false; ///< tracked files differ from it
};

/// Nothing if `directory` is in no work tree, or there is no git.
std::optional<GitState> gitState(llvm::StringRef directory);

} // namespace retest
