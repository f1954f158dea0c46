#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace retest {

/// The value of an entry of `<buildDirectory>/CMakeCache.txt`; nothing if there is no such entry
/// or no such file.
std::optional<std::string> cmakeCacheEntry(llvm::StringRef buildDirectory, llvm::StringRef key);

} // namespace retest
