#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace retest {

/// Lines of a source file, the first and the one behind the last.
struct LineRange {
  std::uint32_t begin = 0, end = 0;

  auto operator<=>(const LineRange &) const = default;
};

/// Lines of a source file in the current tree, and those of the baseline that they stand for.
/// Either may be none; their place is known all the same, unless the file could not be compared.
struct EditedPlace {
  std::string path;
  LineRange current, baseline; ///< both begin at 0: some lines of the file

  bool contains(llvm::StringRef file, std::uint32_t line) const {
    return path == file && (line == 0 || current.begin == 0 || line == current.begin ||
                            (current.begin <= line && line < current.end));
  }
  auto operator<=>(const EditedPlace &) const = default;
};

/// Those in the files that a unit of the baseline reads, by the unit's name.
using EditedPlaces = std::function<std::vector<EditedPlace>(llvm::StringRef unit)>;

/// Where the two versions of a file differ.
std::vector<EditedPlace> editedPlaces(const std::string &path, llvm::StringRef baseline,
                                      llvm::StringRef current);

/// "p.h:6", "p.h:6, q.h and 2 more places".
std::string placesText(const std::vector<EditedPlace> &places);

} // namespace retest
