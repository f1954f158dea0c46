#include "cov/gcov_image.h"

#include "cov/gcov_notes.h"
#include "run/preload/protocol.h"
#include "support/error.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Object/BuildID.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/MemoryBuffer.h>

namespace retest {

namespace {

using llvm::object::ELF64LEObjectFile;

// struct gcov_info and struct gcov_fn_info of GCC 12 and 13, on 64-bit machines.
constexpr std::uint64_t kInfoVersion = 0, kInfoStamp = 16, kInfoFile = 24, kInfoMerge = 32,
                        kInfoFunctionCount = 96, kInfoFunctions = 104;
constexpr std::uint64_t kFunctionKey = 0, kFunctionIdent = 8, kFunctionLines = 12,
                        kFunctionFlow = 16, kFunctionCounters = 24, kFunctionValues = 32;
constexpr unsigned kKindsOfCounters = 8;

/// The memory of a module as the loader will make it, at base address 0.
class Memory {
public:
  explicit Memory(const ELF64LEObjectFile &object) {
    std::uint32_t relative = object.getELFFile().getRelativeRelocationType();
    const llvm::object::ObjectFile &file = object;
    for (const llvm::object::SectionRef &section : file.dynamic_relocation_sections())
      for (const llvm::object::RelocationRef &relocation : section.relocations()) {
        if (relocation.getType() != relative)
          continue;
        llvm::Expected<std::int64_t> addend =
            llvm::object::ELFRelocationRef(relocation).getAddend();
        if (addend)
          relocated_[relocation.getOffset()] = static_cast<std::uint64_t>(*addend);
        else
          llvm::consumeError(addend.takeError()); // the place itself has it
      }
    for (const llvm::object::SectionRef &section : object.sections()) {
      llvm::Expected<llvm::StringRef> content = section.getContents();
      bool isLoaded = llvm::object::ELFSectionRef(section).getFlags() & llvm::ELF::SHF_ALLOC;
      if (content && isLoaded && !section.isBSS())
        parts_.push_back({section.getAddress(), *content});
      else
        llvm::consumeError(content.takeError());
    }
  }

  std::uint64_t pointer(std::uint64_t address) {
    if (auto found = relocated_.find(address); found != relocated_.end())
      return found->second;
    llvm::StringRef bytes = at(address);
    return checked(bytes, 8) ? llvm::support::endian::read64le(bytes.data()) : 0;
  }
  std::uint32_t word(std::uint64_t address) {
    llvm::StringRef bytes = at(address);
    return checked(bytes, 4) ? llvm::support::endian::read32le(bytes.data()) : 0;
  }
  llvm::StringRef string(std::uint64_t address) {
    llvm::StringRef bytes = at(address);
    std::size_t end = bytes.find('\0');
    isWhole_ &= end != llvm::StringRef::npos;
    return bytes.take_front(end);
  }
  /// Whether all that was asked for was there.
  bool isWhole() const { return isWhole_; }

private:
  struct Part {
    std::uint64_t address;
    llvm::StringRef content;
  };

  llvm::StringRef at(std::uint64_t address) const {
    for (const Part &part : parts_)
      if (address >= part.address && address - part.address < part.content.size())
        return part.content.drop_front(address - part.address);
    return {};
  }
  bool checked(llvm::StringRef bytes, std::size_t size) {
    isWhole_ &= bytes.size() >= size;
    return bytes.size() >= size;
  }

  std::vector<Part> parts_;
  llvm::DenseMap<std::uint64_t, std::uint64_t> relocated_;
  bool isWhole_ = true;
};

struct Place {
  std::uint64_t address = 0, size = 0;
};

llvm::Expected<Place> sectionNamed(const ELF64LEObjectFile &object, llvm::StringRef wanted) {
  for (const llvm::object::SectionRef &section : object.sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (name && *name == wanted)
      return Place{section.getAddress(), section.getSize()};
    llvm::consumeError(name.takeError());
  }
  return error("no section {}: it was not built for recording with GCC", wanted.str());
}

llvm::Error readFunction(Memory &memory, std::uint64_t function, std::uint64_t info, Place counters,
                         GcovObject &object) {
  if (!function || memory.pointer(function + kFunctionKey) != info)
    return llvm::Error::success(); // another object's, of which this one shares the code
  GcovCounters entry;
  entry.ident = memory.word(function + kFunctionIdent);
  entry.lineChecksum = memory.word(function + kFunctionLines);
  entry.flowChecksum = memory.word(function + kFunctionFlow);
  entry.counterCount = memory.word(function + kFunctionCounters);
  std::uint64_t begin = memory.pointer(function + kFunctionValues) - counters.address;
  constexpr std::uint64_t kSize = sizeof(std::uint64_t);
  if (begin % kSize != 0 || begin > counters.size ||
      entry.counterCount > (counters.size - begin) / kSize)
    return error("counters lie outside of their section");
  entry.firstCounter = static_cast<std::uint32_t>(begin / kSize);
  object.functions.push_back(entry);
  return llvm::Error::success();
}

llvm::Expected<GcovObject> readObject(Memory &memory, std::uint64_t info, Place counters) {
  unsigned version = gccVersionOf(memory.word(info + kInfoVersion));
  if (!isKnownGcc(version))
    return error("built by GCC {}; only the tables of GCC 12 and 13 are known", version);
  for (unsigned kind = 1; kind < kKindsOfCounters; ++kind)
    if (memory.pointer(info + kInfoMerge + kind * 8) != 0)
      return error("counts more than steps");
  GcovObject object;
  object.stamp = memory.word(info + kInfoStamp);
  llvm::StringRef stem = memory.string(memory.pointer(info + kInfoFile));
  if (!stem.consume_back(".gcda"))
    return error("{}: not the name of a profile", stem.str());
  object.stem = stem.str();
  std::uint32_t count = memory.word(info + kInfoFunctionCount);
  std::uint64_t functions = memory.pointer(info + kInfoFunctions);
  for (std::uint32_t i = 0; i < count && memory.isWhole(); ++i)
    if (llvm::Error failed =
            readFunction(memory, memory.pointer(functions + i * 8ull), info, counters, object))
      return failed;
  return object;
}

llvm::Expected<GcovImage> read(const ELF64LEObjectFile &object) {
  llvm::Expected<Place> tables = sectionNamed(object, preload::kGccTables);
  if (!tables)
    return tables.takeError();
  llvm::Expected<Place> counters = sectionNamed(object, preload::kGccCounters);
  if (!counters)
    return counters.takeError();
  GcovImage image;
  llvm::object::BuildIDRef id = llvm::object::getBuildID(&object);
  image.buildId.assign(id.begin(), id.end());
  image.counterCount = counters->size / sizeof(std::uint64_t);
  Memory memory(object);
  for (std::uint64_t offset = 0; offset + 8 <= tables->size; offset += 8) {
    llvm::Expected<GcovObject> next =
        readObject(memory, memory.pointer(tables->address + offset), *counters);
    if (!memory.isWhole()) {
      llvm::consumeError(next.takeError());
      return error("its tables lead outside of it");
    }
    if (!next)
      return next.takeError();
    image.objects.push_back(std::move(*next));
  }
  return image;
}

} // namespace

llvm::Expected<GcovImage> GcovImage::load(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return error("{}: {}", path, buffer.getError().message());
  auto object = llvm::object::ObjectFile::createObjectFile((*buffer)->getMemBufferRef());
  if (!object)
    return error("{}: {}", path, llvm::toString(object.takeError()));
  const auto *elf = llvm::dyn_cast<ELF64LEObjectFile>(object->get());
  if (!elf)
    return error("{}: not a program for this machine", path);
  llvm::Expected<GcovImage> image = read(*elf);
  if (!image)
    return error("{}: {}", path, llvm::toString(image.takeError()));
  image->path = path;
  return image;
}

} // namespace retest
