#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace retest {

/// A step from one block of a function to the next.
struct GcovArc {
  std::uint32_t from = 0, to = 0;
  bool isOnTree = false; ///< has no counter: its count follows from those of the others
};

struct GcovLine {
  std::uint32_t file = 0; ///< index in GcovNotes::files
  std::uint32_t line = 0;

  auto operator<=>(const GcovLine &) const = default;
};

/// A function as GCC counts it. Block 0 is where it begins, block 1 where it ends.
struct GcovFunction {
  std::uint32_t ident = 0, lineChecksum = 0, flowChecksum = 0;
  std::string symbol;     ///< mangled name
  std::uint32_t file = 0; ///< where it is written; index in GcovNotes::files
  std::uint32_t firstLine = 0, lastLine = 0;
  std::vector<std::vector<GcovLine>> lines; ///< by block
  std::vector<GcovArc> arcs;                ///< by origin
  std::uint32_t counterCount = 0;           ///< of arcs that are not on the tree, in their order
};

/// What GCC wrote of one unit beside its object (a .gcno file of GCC 12 or 13).
///
/// LLVM has a reader for such files, too, but it does not tell the files of lines apart, which a
/// function with an #include in it has several of, and does not check where numbers lead to.
struct GcovNotes {
  std::uint32_t stamp = 0;        ///< of the compilation; the object has the same
  std::vector<std::string> files; ///< absolute
  std::vector<GcovFunction> functions;

  static llvm::Expected<GcovNotes> load(const std::string &path);
};

/// The version of GCC in a word of its files and tables, e.g. 12; 0 if it is none.
unsigned gccVersionOf(std::uint32_t word);
/// Whether that version's formats are known.
bool isKnownGcc(unsigned version);

/// How often each block was passed: as often as it was entered, so often it was left. Nothing if
/// the counts contradict each other.
std::optional<std::vector<std::int64_t>> blockCounts(const GcovFunction &function,
                                                     llvm::ArrayRef<std::uint64_t> counters);

} // namespace retest
