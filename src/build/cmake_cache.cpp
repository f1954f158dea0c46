#include "build/cmake_cache.h"
#include "build/paths.h"

#include <llvm/Support/LineIterator.h>
#include <llvm/Support/MemoryBuffer.h>

namespace retest {

std::optional<std::string> cmakeCacheEntry(llvm::StringRef buildDirectory, llvm::StringRef key) {
  auto cache = llvm::MemoryBuffer::getFile(joinPath(buildDirectory, "CMakeCache.txt"));
  if (!cache)
    return std::nullopt;
  // KEY:TYPE=VALUE
  for (llvm::line_iterator line(**cache); !line.is_at_end(); ++line) {
    llvm::StringRef rest = *line;
    if (rest.consume_front(key) && rest.consume_front(":"))
      return rest.split('=').second.rtrim("\r").str();
  }
  return std::nullopt;
}

} // namespace retest
