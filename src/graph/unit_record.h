#pragma once

#include "graph/unit_graph.h"

#include <string>
#include <vector>

namespace retest {

/// A file that was read, with the hash of what it contained.
struct FileInput {
  std::string path; ///< as ProjectPaths::nameOf gives it
  Fingerprint content;
  /// Of a header outside the project: how the unit sees it (ExternalHeader::seen). Zero if it was
  /// only looked for, and for files of the project, which are seen through the graph.
  Fingerprint seen = {};

  auto operator<=>(const FileInput &) const = default;
};

/// Whether the file is outside the project.
inline bool isExternal(const FileInput &input) {
  return llvm::StringRef(input.path).starts_with("/");
}

/// What UnitGraph::externalHeaders is for a unit with these inputs. `inputs` is sorted by path.
std::vector<ExternalHeader> externalHeadersOf(const std::vector<FileInput> &inputs, Names &names);

/// The outcome of parsing one unit, with everything that decides whether it must be parsed again:
/// its command, the files it read, and the paths it looked for in vain (a header that appears
/// there would shadow another).
struct UnitRecord {
  std::string name;              ///< UnitGraph::name as text
  std::string source;            ///< its main file, as ProjectPaths::nameOf gives it
  std::string object;            ///< its object file, likewise; empty if the command names none
  Fingerprint command;           ///< of the command, blind to the place of root and build directory
  std::vector<FileInput> inputs; ///< sorted by path
  /// Where it found nothing, and, with a slash at the end, where it found a directory. Sorted.
  std::vector<std::string> missed;
  /// Clang's first error ("src/a.cpp:3:5: unknown type name 'x'"); empty if the unit parsed. The
  /// graph of a unit with an error is empty: everything in it counts as changed.
  std::string error;
  UnitGraph graph;

  bool isParsed() const { return error.empty(); }
  auto operator<=>(const UnitRecord &) const = default;
};

} // namespace retest
