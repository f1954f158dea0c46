#include "db/compress.h"

#include "support/error.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <zstd.h>

#include <cassert>
#include <memory>

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
  std::string result;
  if (llvm::Error failed = decompress(bytes, result))
    return failed;
  return result;
}

llvm::Error decompress(llvm::StringRef bytes, std::string &into) {
  // Kept, since making one takes longer than to decompress a small thing with it.
  static thread_local std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(
      ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context)
    return error("no memory to decompress with");
  unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  // Both of zstd's special answers are larger than any size.
  if (size > kLargest)
    return error(ErrorKind::Store, "compressed bytes without a sensible size");
  into.resize(size);
  std::size_t got =
      ZSTD_decompressDCtx(context.get(), into.data(), into.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != size)
    return error(ErrorKind::Store, "compressed bytes that cannot be read");
  return llvm::Error::success();
}

llvm::Error decompressFile(const std::string &from, const std::string &to, std::uint64_t largest) {
  auto input = llvm::MemoryBuffer::getFile(from, /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!input)
    return error("{}", input.getError().message());
  std::error_code failed;
  llvm::raw_fd_ostream output(to, failed);
  if (failed)
    return error("{}: {}", to, failed.message());
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                    ZSTD_freeDStream);
  std::string buffer(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{(*input)->getBufferStart(), (*input)->getBufferSize(), 0};
  std::size_t left = 1; // nothing is a frame that did not begin
  for (bool isFull = true; in.pos < in.size || (left != 0 && isFull);) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left))
      return error("not compressed by zstd, or damaged");
    isFull = out.pos == out.size;
    output.write(buffer.data(), out.pos);
    if (output.tell() > largest)
      return error("larger than {} GiB", largest >> 30);
  }
  output.close();
  if (output.has_error()) {
    std::string reason = output.error().message();
    output.clear_error();
    return error("{}: {}", to, reason);
  }
  if (left != 0)
    return error("its end is missing");
  return llvm::Error::success();
}

} // namespace retest
