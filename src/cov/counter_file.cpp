#include "cov/counter_file.h"

#include "run/preload/protocol.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>

namespace retest {

llvm::Expected<ModuleCounters> readCounterFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false,
                                          /*IsVolatile=*/true);
  if (!file)
    return error("{}: {}", path, file.getError().message());
  llvm::StringRef data = (*file)->getBuffer();
  preload::CounterFileHeader header;
  if (data.size() < sizeof header)
    return error("{}: not a counter file: it is too short", path);
  std::memcpy(&header, data.data(), sizeof header);
  if (header.magic != preload::CounterFileHeader::kMagic)
    return error("{}: not a counter file", path);
  // Whoever wrote it, no number in it may lead outside.
  if (header.headerSize > data.size() || header.buildIdSize > sizeof header.buildId ||
      header.countersOffset > data.size() - header.headerSize ||
      header.countersSize > data.size() - header.headerSize - header.countersOffset ||
      header.countersSize % sizeof(std::uint64_t) != 0)
    return error("{}: a damaged counter file", path);
  ModuleCounters result;
  result.module.assign(header.module, strnlen(header.module, sizeof header.module));
  // The loader finds a library by the name of its version, which is a link.
  if (llvm::SmallString<256> real; !llvm::sys::fs::real_path(result.module, real))
    result.module = real.str().str();
  result.buildId.assign(reinterpret_cast<const char *>(header.buildId), header.buildIdSize);
  result.process = header.process;
  result.hadThreads = header.hadThreads != 0;
  result.hasEnded = header.hasEnded != 0;
  result.counters.resize(header.countersSize / sizeof(std::uint64_t));
  std::memcpy(result.counters.data(), data.data() + header.headerSize + header.countersOffset,
              header.countersSize);
  return result;
}

llvm::Expected<std::vector<ModuleCounters>> takeCounterFiles(const std::string &directory) {
  std::vector<ModuleCounters> all;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator entry(directory, code), end; entry != end && !code;
       entry.increment(code)) {
    if (!llvm::StringRef(entry->path()).ends_with(".counters"))
      continue;
    llvm::Expected<ModuleCounters> counters = readCounterFile(entry->path());
    if (!counters)
      return counters.takeError();
    all.push_back(std::move(*counters));
    if (std::error_code stays = llvm::sys::fs::remove(entry->path()))
      return error("{}: cannot be removed: {}", entry->path(), stays.message());
  }
  if (code)
    return error("{}: {}", directory, code.message());
  llvm::sort(all);
  return all;
}

} // namespace retest
