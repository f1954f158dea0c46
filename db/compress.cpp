#include "db/compress.h"

#include "support/error.h"

#include <zstd.h>

#include <cassert>

namespace retest {

constexpr unsigned long long kLargest = 256ULL << 20;

std::string compressed(llvm::StringRef bytes, int level) {
  std::string result(ZSTD_compressBound(bytes.size()), '\0');
  std::size_t size = ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(), level);
  assert(!ZSTD_isError(size) && "the buffer is as large as zstd asked for");
  result.resize(size);
  return result;
}

llvm::Expected<std::string> decompressed(llvm::StringRef bytes) {
  unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  // Both of zstd's special answers are larger than any size.
  if (size > kLargest)
    return error(ErrorKind::Store, "compressed bytes without a sensible size");
  std::string result(size, '\0');
  std::size_t got = ZSTD_decompress(result.data(), result.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != size)
    return error(ErrorKind::Store, "compressed bytes that cannot be read");
  return result;
}

} // namespace retest
