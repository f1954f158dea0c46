#include "cov/gcov_notes.h"

#include "support/error.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/DataExtractor.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

namespace retest {

namespace {

constexpr std::uint32_t kMagic = 0x67636e6f; // "gcno"
enum Tag : std::uint32_t {
  kFunction = 0x01000000,
  kBlocks = 0x01410000,
  kArcs = 0x01430000,
  kLines = 0x01450000,
};
constexpr std::uint32_t kOnTree = 1; // a flag of arcs

/// Reads words and strings; past the end it gives zeros, and `isWhole` tells.
class Words {
public:
  explicit Words(llvm::StringRef data) : data_(data, /*IsLittleEndian=*/true, 8), cursor_(0) {}
  ~Words() { llvm::consumeError(cursor_.takeError()); }

  std::uint32_t word() { return data_.getU32(cursor_); }
  /// With its length in front, the zero at its end counted.
  llvm::StringRef string() {
    std::uint32_t size = word();
    return data_.getBytes(cursor_, size).drop_back(size == 0 || !cursor_ ? 0 : 1);
  }
  llvm::StringRef bytes(std::uint32_t size) { return data_.getBytes(cursor_, size); }
  bool isAtEnd() { return !cursor_ || data_.eof(cursor_); }
  bool isWhole() { return static_cast<bool>(cursor_); }

private:
  llvm::DataExtractor data_;
  llvm::DataExtractor::Cursor cursor_;
};

class Reader {
public:
  explicit Reader(llvm::StringRef data) : words_(data) {}

  llvm::Expected<GcovNotes> read() {
    if (words_.word() != kMagic)
      return error("these are no notes of GCC");
    unsigned version = gccVersionOf(words_.word());
    if (!isKnownGcc(version))
      return error("of GCC {}; only the notes of GCC 12 and 13 are known", version);
    notes_.stamp = words_.word();
    words_.word(); // a checksum
    directory_ = words_.string();
    words_.word(); // whether blocks that are never executed are in it
    while (!words_.isAtEnd()) {
      std::uint32_t tag = words_.word();
      Words record(words_.bytes(words_.word()));
      if (!words_.isWhole() || !add(tag, record) || !record.isWhole())
        return error("damaged notes of GCC");
    }
    if (!words_.isWhole())
      return error("notes of GCC that are cut off");
    return std::move(notes_);
  }

private:
  /// False if the record does not fit the others.
  bool add(std::uint32_t tag, Words &record) {
    if (tag == kFunction) {
      addFunction(record);
      return true;
    }
    if (tag != kBlocks && tag != kArcs && tag != kLines)
      return true;
    if (notes_.functions.empty())
      return false;
    GcovFunction &function = notes_.functions.back();
    if (tag == kBlocks) {
      std::uint32_t count = record.word();
      if (count > 1'000'000)
        return false;
      function.lines.resize(count);
      return true;
    }
    std::uint32_t block = record.word();
    if (block >= function.lines.size())
      return false;
    return tag == kArcs ? addArcs(function, block, record)
                        : addLines(function.lines[block], record);
  }

  void addFunction(Words &record) {
    GcovFunction function;
    function.ident = record.word();
    function.lineChecksum = record.word();
    function.flowChecksum = record.word();
    function.symbol = record.string().str();
    record.word(); // whether the compiler wrote it
    function.file = fileNamed(record.string());
    function.firstLine = record.word();
    record.word(); // column
    function.lastLine = record.word();
    notes_.functions.push_back(std::move(function));
  }

  static bool addArcs(GcovFunction &function, std::uint32_t from, Words &record) {
    if (!function.arcs.empty() && function.arcs.back().from > from)
      return false; // counters come in this order
    while (!record.isAtEnd()) {
      GcovArc arc{from, record.word()};
      arc.isOnTree = (record.word() & kOnTree) != 0;
      if (arc.to >= function.lines.size())
        return false;
      function.counterCount += !arc.isOnTree;
      function.arcs.push_back(arc);
    }
    return true;
  }

  bool addLines(std::vector<GcovLine> &lines, Words &record) {
    std::uint32_t file = 0;
    bool hasFile = false;
    while (record.isWhole()) {
      if (std::uint32_t line = record.word()) {
        if (!hasFile)
          return false;
        lines.push_back({file, line});
        continue;
      }
      llvm::StringRef name = record.string();
      if (name.empty())
        return record.isWhole();
      file = fileNamed(name);
      hasFile = true;
    }
    return false;
  }

  std::uint32_t fileNamed(llvm::StringRef name) {
    auto [known, isNew] = files_.try_emplace(name, static_cast<std::uint32_t>(notes_.files.size()));
    if (isNew) {
      llvm::SmallString<256> path(name);
      llvm::sys::fs::make_absolute(directory_, path);
      notes_.files.push_back(path.str().str());
    }
    return known->second;
  }

  Words words_;
  llvm::StringRef directory_;
  llvm::StringMap<std::uint32_t> files_;
  GcovNotes notes_;
};

} // namespace

unsigned gccVersionOf(std::uint32_t word) {
  unsigned tens = (word >> 24) - 'A', ones = ((word >> 16) & 0xff) - '0'; // "B22*" is 12.2
  return tens < 26 && ones < 10 ? tens * 10 + ones : 0;
}

bool isKnownGcc(unsigned version) { return version == 12 || version == 13; }

llvm::Expected<GcovNotes> GcovNotes::load(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return error("{}: {}", path, file.getError().message());
  llvm::Expected<GcovNotes> notes = Reader((*file)->getBuffer()).read();
  if (!notes)
    return error("{}: {}", path, llvm::toString(notes.takeError()));
  return notes;
}

} // namespace retest
