#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>

namespace retest {

std::string compressed(llvm::StringRef bytes, int level);
/// Refuses what is damaged or would grow beyond 256 MiB.
llvm::Expected<std::string> decompressed(llvm::StringRef bytes);
/// Writes the content of a compressed file to another. Refuses what is damaged or would grow beyond
/// `largest` bytes.
llvm::Error decompressFile(const std::string &from, const std::string &to, std::uint64_t largest);

} // namespace retest
