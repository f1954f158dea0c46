// Finds the counters of Clang's source-based coverage, or GCC's, and maps files over them.
//
// The symbols around the counters are hidden, so they are found by the section headers of the
// module's file. GCC's lie in a section of their own if the program was linked for recording.
#include "run/preload/counters.h"

#include "run/preload/page_size.h"
#include "run/preload/proc_maps.h"
#include "run/preload/protocol.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace retest::preload {
namespace {

using Ehdr = ElfW(Ehdr);
using Shdr = ElfW(Shdr);

constexpr unsigned kMostModules = 1024;

struct Module {
  std::uintptr_t base = 0;
  std::uint64_t nameHash = 0; ///< of what the loader calls it
  CounterFileHeader header{};
  char *pages = nullptr; ///< first page with counters; null: the module has none
  std::size_t pagesSize = 0;
  bool isGcc = false;
  bool isLoaded = true;
  char *alias = nullptr;                ///< the file once more; null: no file is mapped
  CounterFileHeader *written = nullptr; ///< the header in the file
};

Module modules[kMostModules];
unsigned moduleCount = 0;
unsigned countedCount = 0;
unsigned fileNumber = 0;
bool wereThreads = false;
bool hasGivenUp = false;
bool hasLost = false;     ///< counts of something that was loaded
bool isUncertain = false; ///< the loader's lock may be held by nobody

/// A file in memory, for reading.
class MappedFile {
public:
  explicit MappedFile(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      void *place =
          mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (place != MAP_FAILED) {
        data_ = static_cast<const char *>(place);
        size_ = static_cast<std::size_t>(status.st_size);
      }
    }
    if (file >= 0)
      close(file);
  }
  ~MappedFile() {
    if (data_)
      munmap(const_cast<char *>(data_), size_);
  }
  MappedFile(const MappedFile &) = delete;

  /// Null if the file is shorter.
  const char *at(std::size_t offset, std::size_t size) const {
    return data_ && offset <= size_ && size <= size_ - offset ? data_ + offset : nullptr;
  }

private:
  const char *data_ = nullptr;
  std::size_t size_ = 0;
};

void readBuildId(const MappedFile &file, const Shdr &section, CounterFileHeader &header) {
  const char *note = file.at(section.sh_offset, section.sh_size);
  ElfW(Nhdr) head;
  if (!note || section.sh_size < sizeof head)
    return;
  memcpy(&head, note, sizeof head);
  std::size_t nameSize = (head.n_namesz + 3u) & ~std::size_t{3};
  if (head.n_type != NT_GNU_BUILD_ID || head.n_descsz > sizeof header.buildId ||
      sizeof head + nameSize + head.n_descsz > section.sh_size)
    return;
  header.buildIdSize = head.n_descsz;
  memcpy(header.buildId, note + sizeof head + nameSize, head.n_descsz);
}

/// Fills in where the counters are. Leaves `pages` null if there are none. False: there is no such
/// file, so that it is not known.
bool findCounters(const char *path, Module &module) {
  MappedFile file(path);
  const auto *elf = reinterpret_cast<const Ehdr *>(file.at(0, sizeof(Ehdr)));
  if (!elf)
    return false;
  if (memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 || elf->e_shentsize != sizeof(Shdr))
    return true;
  const auto *sections = reinterpret_cast<const Shdr *>(
      file.at(elf->e_shoff, std::size_t{elf->e_shnum} * sizeof(Shdr)));
  if (!sections || elf->e_shstrndx >= elf->e_shnum)
    return true;
  const Shdr &table = sections[elf->e_shstrndx];
  for (unsigned i = 0; i < elf->e_shnum; ++i) {
    const char *name = file.at(table.sh_offset + sections[i].sh_name, 32);
    if (!name)
      continue;
    if (strcmp(name, ".note.gnu.build-id") == 0)
      readBuildId(file, sections[i], module.header);
    bool isGcc = strcmp(name, kGccCounters) == 0;
    if ((isGcc || strcmp(name, "__llvm_prf_cnts") == 0) && sections[i].sh_size != 0) {
      module.isGcc = isGcc;
      std::uintptr_t begin = module.base + sections[i].sh_addr;
      std::uintptr_t firstPage = begin & ~(pageSize() - 1);
      std::uintptr_t end = (begin + sections[i].sh_size + pageSize() - 1) & ~(pageSize() - 1);
      module.pages = reinterpret_cast<char *>(firstPage);
      module.pagesSize = end - firstPage;
      module.header.countersOffset = begin - firstPage;
      module.header.countersSize = sections[i].sh_size;
    }
  }
  return true;
}

/// What every program loads, and nobody builds with counters: a file less to open in each process.
bool isOfSystem(const char *path) {
  if (strncmp(path, "/lib", 4) != 0 && strncmp(path, "/usr/lib", 8) != 0)
    return false;
  const char *name = strrchr(path, '/') + 1;
  for (const char *known : {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6",
                            "libpthread.so.0", "libdl.so.2", "librt.so.1"})
    if (strcmp(name, known) == 0)
      return true;
  return strncmp(name, "ld-linux", 8) == 0;
}

bool writeAll(int file, const char *data, std::size_t size, off_t offset) {
  while (size != 0) {
    ssize_t count = pwrite(file, data, size, offset);
    if (count <= 0)
      return false;
    data += count;
    size -= static_cast<std::size_t>(count);
    offset += count;
  }
  return true;
}

/// Whose counters are lost must not look like one that did nothing.
void markLost(const char *directory, const char *reason) {
  char mark[4096];
  snprintf(mark, sizeof mark, "%s%s", directory, kLostSuffix);
  if (symlink(reason, mark) != 0 && errno != EEXIST)
    dprintf(STDERR_FILENO, "retest: the counters of this process cannot be kept: %s\n", reason);
}

/// Nor like one that crashed.
[[noreturn]] void giveUp(const char *directory, const char *reason) {
  hasGivenUp = true;
  markLost(directory, reason);
  abort();
}

/// Room for the pages in a new file, with what they hold; if the counters begin anew, with what
/// surrounds them. All the room is taken now: later there is nobody to tell that a disk is full.
bool fillFile(int file, const Module &module, bool startsAtZero) {
  const CounterFileHeader &header = module.header;
  off_t begin = static_cast<off_t>(header.headerSize);
  if (!writeAll(file, reinterpret_cast<const char *>(&header), sizeof header, 0))
    return false;
  if (!startsAtZero)
    return writeAll(file, module.pages, module.pagesSize, begin);
  errno = posix_fallocate(file, begin, static_cast<off_t>(module.pagesSize));
  std::size_t end = header.countersOffset + header.countersSize;
  return errno == 0 && writeAll(file, module.pages, header.countersOffset, begin) &&
         writeAll(file, module.pages + end, module.pagesSize - end,
                  begin + static_cast<off_t>(end));
}

/// Maps a new file in place of the counters, and closes it. False: see errno.
bool mapFile(int file, Module &module, bool startsAtZero) {
  CounterFileHeader &header = module.header;
  header.magic = CounterFileHeader::kMagic;
  header.headerSize = (sizeof header + pageSize() - 1) & ~(pageSize() - 1);
  header.process = static_cast<std::uint64_t>(getpid());
  header.hadThreads = wereThreads;
  if (!fillFile(file, module, startsAtZero))
    return false;
  if (module.alias)
    munmap(module.alias, module.pagesSize);
  if (module.written)
    munmap(module.written, sizeof header);
  auto map = [&](void *place, std::size_t size, int how, std::uint64_t offset) {
    return mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | how, file,
                static_cast<off_t>(offset));
  };
  void *written = map(nullptr, sizeof header, 0, 0);
  void *alias = map(nullptr, module.pagesSize, 0, header.headerSize);
  if (written == MAP_FAILED || alias == MAP_FAILED ||
      map(module.pages, module.pagesSize, MAP_FIXED, header.headerSize) == MAP_FAILED)
    return false;
  module.written = static_cast<CounterFileHeader *>(written);
  module.alias = static_cast<char *>(alias);
  close(file);
  return true;
}

void mapNewFile(const char *directory, Module &module, bool startsAtZero) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  char path[4096], finalPath[4096];
  int length =
      snprintf(path, sizeof path, "%s/%d-%lld%09ld-%u.new", directory, static_cast<int>(getpid()),
               static_cast<long long>(now.tv_sec), now.tv_nsec, fileNumber++);
  // Whoever reads the directory meanwhile sees whole files only.
  snprintf(finalPath, sizeof finalPath, "%.*s.counters", length - 4, path);
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  // A directory that is gone since was put aside with its test, and is read by nobody.
  if (file < 0 || !mapFile(file, module, startsAtZero) ||
      (rename(path, finalPath) != 0 && errno != ENOENT))
    giveUp(directory, strerror(errno)); // a disk that is full
}

/// Leaves the file to whoever reads it.
void letGo(Module &module, bool hasEnded) {
  module.written->hasEnded = hasEnded;
  munmap(module.written, sizeof module.header);
  munmap(module.alias, module.pagesSize);
  --countedCount;
}

/// FNV-1a.
std::uint64_t nameHashOf(const dl_phdr_info &info) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char *byte = info.dlpi_name; byte && *byte; ++byte)
    hash = (hash ^ static_cast<unsigned char>(*byte)) * 0x100000001b3;
  return hash;
}

/// Calls `act` with the offset of each page that counters share with other things.
template <class Act> void forEachEdge(const Module &module, Act act) {
  std::size_t end = module.header.countersOffset + module.header.countersSize;
  if (module.header.countersOffset != 0)
    act(std::size_t{0});
  bool isSamePage = end <= pageSize();
  if (end != module.pagesSize && !(isSamePage && module.header.countersOffset != 0))
    act(module.pagesSize - pageSize());
}

/// By place and name: the C library unloads some without our being asked, and another may come to
/// lie in their place.
Module *moduleOf(const dl_phdr_info &info) {
  for (unsigned i = 0; i < moduleCount; ++i)
    if (modules[i].base == info.dlpi_addr && modules[i].nameHash == nameHashOf(info))
      return &modules[i];
  return nullptr;
}

int addModule(dl_phdr_info *info, std::size_t, void *directory) {
  if (moduleOf(*info))
    return 0;
  if (moduleCount == kMostModules)
    giveUp(static_cast<const char *>(directory), "too many libraries are loaded");
  Module &module = modules[moduleCount++];
  module.base = info->dlpi_addr;
  module.nameHash = nameHashOf(*info);
  const char *path = info->dlpi_name;
  char executable[sizeof module.header.module];
  if (!path || !*path) {
    ssize_t size = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (size <= 0)
      return 0;
    executable[size] = 0;
    path = executable;
  }
  if (!strchr(path, '/'))
    return 0; // the kernel's part: no file, and looking for one would be charged to the test
  if (isOfSystem(path))
    return 0;
  strncpy(module.header.module, path, sizeof module.header.module - 1);
  findCounters(path, module);
  if (module.pages) {
    ++countedCount;
    mapNewFile(static_cast<const char *>(directory), module, /*startsAtZero=*/false);
  }
  return 0;
}

/// The loader lets one thread at a time look at its list, as long as that takes; so there is one at
/// a time that changes ours.
template <class Act> void lockedByLoader(Act act) {
  if (isUncertain)
    return act();
  dl_iterate_phdr(
      [](dl_phdr_info *, std::size_t, void *data) {
        (*static_cast<Act *>(data))();
        return 1;
      },
      &act);
}

/// How often something was unloaded.
unsigned long long unloadsSoFar() {
  unsigned long long unloads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *result) {
        *static_cast<unsigned long long *>(result) = info->dlpi_subs;
        return 1;
      },
      &unloads);
  return unloads;
}

void dropUnloaded(bool hasEnded) {
  static unsigned long long known = 0;
  if (unsigned long long now = unloadsSoFar(); std::exchange(known, now) == now)
    return;
  for (unsigned i = 0; i < moduleCount; ++i)
    modules[i].isLoaded = false;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *) {
        if (Module *module = moduleOf(*info))
          module->isLoaded = true;
        return 0;
      },
      nullptr);
  unsigned kept = 0;
  for (unsigned i = 0; i < moduleCount; ++i) {
    if (!modules[i].isLoaded) {
      if (modules[i].written)
        letGo(modules[i], hasEnded);
      continue;
    }
    if (kept != i)
      modules[kept] = modules[i];
    ++kept;
  }
  for (unsigned i = std::exchange(moduleCount, kept); i > kept; --i)
    modules[i - 1] = Module{};
}

bool isSameFile(const char *path, const char *other) {
  struct stat one, two;
  return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev &&
         one.st_ino == two.st_ino;
}

/// Whether a file that is mapped as code has counters of GCC of which we know nothing. The loader
/// may know a library by the name of a link.
bool hasUnknownCounters(const char *path) {
  auto beginsWith = [&](const char *text) { return strncmp(path, text, strlen(text)) == 0; };
  if (beginsWith("/memfd:") || beginsWith("/dev/")) // code that a program has written itself
    return false;
  for (unsigned i = 0; i < moduleCount; ++i)
    if (const char *known = modules[i].header.module; *known && beginsWith(known))
      if (const char *rest = path + strlen(known); !*rest || strcmp(rest, " (deleted)") == 0)
        return false;
  Module module;
  if (!findCounters(path, module))
    return true;
  for (unsigned i = 0; i < moduleCount; ++i)
    if (module.isGcc && isSameFile(path, modules[i].header.module))
      return false;
  return module.isGcc;
}

} // namespace

void mapCounters(const char *directory) {
  if (hasGivenUp)
    return;
  forgetUnloaded(/*hasEnded=*/false); // somebody has unloaded them without our seeing it
  dl_iterate_phdr(addModule, const_cast<char *>(directory));
}

void unshareEdges() {
  for (unsigned i = 0; i < moduleCount; ++i)
    if (Module &module = modules[i]; module.alias)
      forEachEdge(module, [&](std::size_t offset) {
        char *page = module.pages + offset;
        if (mmap(page, pageSize(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                 -1, 0) != MAP_FAILED)
          memcpy(page, module.alias + offset, pageSize());
      });
}

void shareEdges() {
  for (unsigned i = 0; i < moduleCount; ++i)
    if (Module &module = modules[i]; module.alias)
      forEachEdge(module, [&](std::size_t offset) {
        memcpy(module.alias + offset, module.pages + offset, pageSize());
        // Of a shared mapping, a size of 0 makes a second one of the same pages.
        mremap(module.alias + offset, 0, pageSize(), MREMAP_MAYMOVE | MREMAP_FIXED,
               module.pages + offset);
      });
}

void remapCounters(const char *directory) {
  for (unsigned i = 0; i < moduleCount; ++i)
    if (modules[i].pages)
      mapNewFile(directory, modules[i], /*startsAtZero=*/false);
}

void restartCounters(const char *directory, const int *files, unsigned count) {
  unsigned used = 0;
  for (unsigned i = 0; i < moduleCount; ++i) {
    if (!modules[i].pages)
      continue;
    if (used == count)
      mapNewFile(directory, modules[i], /*startsAtZero=*/true);
    else if (!mapFile(files[used++], modules[i], /*startsAtZero=*/true))
      giveUp(directory, strerror(errno));
  }
}

void noteThreads() {
  if (wereThreads) // new files are told from the beginning
    return;
  wereThreads = true;
  for (unsigned i = 0; i < moduleCount; ++i)
    if (modules[i].written)
      modules[i].written->hadThreads = 1;
}

bool hadThreads() { return wereThreads; }

void noteUncertainLock() { isUncertain = true; }

bool isLockUncertain() { return isUncertain; }

unsigned countedModules() { return countedCount; }

bool hasGccModules() {
  bool has = false;
  lockedByLoader([&] {
    for (unsigned i = 0; i < moduleCount; ++i)
      has |= modules[i].isGcc;
  });
  return has;
}

bool areAllMapped(const char *directory) {
  bool isAnyUnknown = false;
  bool isWhole = forEachMapping([&](const Mapping &mapping) {
    isAnyUnknown = isAnyUnknown ||
                   (mapping.rights[2] == 'x' && *mapping.path && hasUnknownCounters(mapping.path));
  });
  if (isWhole && !isAnyUnknown)
    return true;
  hasLost = true;
  markLost(directory, "a child of a process with threads has loaded a library with counters");
  return false;
}

void noteEnded(bool hasEnded) {
  lockedByLoader([&] {
    auto process = static_cast<std::uint64_t>(getpid());
    for (unsigned i = 0; i < moduleCount; ++i)
      if (CounterFileHeader *written = modules[i].written; written && written->process == process)
        written->hasEnded = hasEnded && !hasLost;
  });
}

void forgetUnloaded(bool hasEnded) {
  lockedByLoader([&] { dropUnloaded(hasEnded); });
}

} // namespace retest::preload
