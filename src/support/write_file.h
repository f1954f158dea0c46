#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <string>

namespace retest {

/// Writes a file anew, and makes the directories above it that are missing.
llvm::Error writeFile(const std::string &path, llvm::StringRef content);

} // namespace retest
