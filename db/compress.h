#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>

namespace retest {

/// For fingerprints. They are random, but many come several times; zstd's higher levels gain one in
/// a hundred on that, at a third of the speed.
inline constexpr int kFingerprintLevel = 1;

std::string compressed(llvm::StringRef bytes, int level);
/// Refuses what is damaged or would grow beyond 256 MiB.
llvm::Expected<std::string> decompressed(llvm::StringRef bytes);
/// The same into memory that is there already: fresh memory takes longer than zstd does.
llvm::Error decompress(llvm::StringRef bytes, std::string &into);
/// Writes the content of a compressed file to another. Refuses what is damaged or would grow beyond
/// `largest` bytes.
llvm::Error decompressFile(const std::string &from, const std::string &to, std::uint64_t largest);

} // namespace retest
