#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <string>

namespace retest {

std::string compressed(llvm::StringRef bytes, int level);
/// Refuses what is damaged or would grow beyond 256 MiB.
llvm::Expected<std::string> decompressed(llvm::StringRef bytes);

} // namespace retest
