#include "cov/counter_file.h"

#include "run/preload/protocol.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

#include <cstring>

namespace retest {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

/// The error says what is wrong with it, without its name.
llvm::Expected<ModuleCounters> parse(llvm::StringRef data) {
  preload::CounterFileHeader header;
  if (data.size() < sizeof header)
    return error("not a counter file: it is too short");
  std::memcpy(&header, data.data(), sizeof header);
  if (header.magic != preload::CounterFileHeader::kMagic)
    return error("not a counter file");
  // Whoever wrote it, no number in it may lead outside.
  if (header.headerSize > data.size() || header.buildIdSize > sizeof header.buildId ||
      header.countersOffset > data.size() - header.headerSize ||
      header.countersSize > data.size() - header.headerSize - header.countersOffset ||
      header.countersSize % sizeof(std::uint64_t) != 0)
    return error("a damaged counter file");
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

llvm::Expected<ModuleCounters> readFile(const std::string &path) {
  // A pipe would keep us waiting, and a file that pretends to be huge would take all memory.
  llvm::sys::fs::file_status status;
  if (std::error_code failed = llvm::sys::fs::status(path, status, /*follow=*/false))
    return error("{}", failed.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file || status.getSize() > kMostBytes)
    return error("not a counter file");
  // Mapping a file that is read once costs more than reading it.
  auto data = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(status.getSize());
  if (!data)
    return error("there is no memory for it");
  auto file = llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  auto size = llvm::sys::fs::readNativeFileSlice(*file, data->getBuffer(), 0);
  std::error_code closed = llvm::sys::fs::closeFile(*file);
  if (!size)
    return size.takeError();
  if (closed)
    return error("{}", closed.message());
  return parse(llvm::StringRef(data->getBufferStart(), *size));
}

} // namespace

llvm::Expected<ModuleCounters> readCounterFile(const std::string &path) {
  llvm::Expected<ModuleCounters> counters = readFile(path);
  if (!counters)
    return error("{}: {}", path, llvm::toString(counters.takeError()));
  return counters;
}

/// Names of directories and files differ each time, and the reason is kept: it names none.
llvm::Expected<std::vector<ModuleCounters>> takeCounterFiles(const std::string &directory) {
  if (!llvm::sys::fs::is_directory(directory))
    return error("the directory of its counters is gone");
  std::vector<ModuleCounters> all;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator entry(directory, code), end; entry != end && !code;
       entry.increment(code)) {
    if (llvm::StringRef(entry->path()).ends_with(".new"))
      return error("a process did not come to keep its counters");
    if (!llvm::StringRef(entry->path()).ends_with(".counters"))
      continue;
    llvm::Expected<ModuleCounters> counters = readFile(entry->path());
    if (!counters)
      return error("among its counters: {}", llvm::toString(counters.takeError()));
    all.push_back(std::move(*counters));
    if (std::error_code stays = llvm::sys::fs::remove(entry->path()))
      return error("its counters cannot be removed: {}", stays.message());
  }
  if (code)
    return error("its counters cannot be read: {}", code.message());
  llvm::sort(all);
  return all;
}

} // namespace retest
