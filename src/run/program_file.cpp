#include "run/program_file.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

namespace retest {
namespace {

std::size_t readAt(int file, void *data, std::size_t size, std::uint64_t offset) {
  ssize_t count = pread(file, data, size, static_cast<off_t>(offset));
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

/// The path in the PT_INTERP segment.
std::string loaderOf(int file, const ElfW(Ehdr) & header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    if (readAt(file, &segment, sizeof segment, header.e_phoff + i * sizeof segment) !=
        sizeof segment)
      return "";
    if (segment.p_type != PT_INTERP)
      continue;
    char path[PATH_MAX] = "";
    readAt(file, path, std::min<std::size_t>(segment.p_filesz, sizeof path - 1), segment.p_offset);
    return path;
  }
  return "";
}

} // namespace

ProgramFile readProgramFile(const std::string &path) {
  ProgramFile program;
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return program;
  auto close = llvm::make_scope_exit([&] { ::close(file); });
  char start[256] = "";
  std::size_t size = readAt(file, start, sizeof start - 1, 0);
  llvm::StringRef text(start, size);
  if (text.consume_front("#!")) {
    text = text.take_until([](char c) { return c == '\n'; }).ltrim(" \t");
    program.interpreter = text.take_until([](char c) { return c == ' ' || c == '\t'; }).str();
    return program;
  }
  ElfW(Ehdr) header;
  if (size < sizeof header || std::memcmp(start, ELFMAG, SELFMAG) != 0)
    return program;
  std::memcpy(&header, start, sizeof header);
  program.isBinary = header.e_type == ET_EXEC || header.e_type == ET_DYN;
  if (program.isBinary && header.e_ident[EI_CLASS] == ELFCLASS64 &&
      header.e_phentsize == sizeof(ElfW(Phdr)))
    program.interpreter = loaderOf(file, header);
  return program;
}

} // namespace retest
