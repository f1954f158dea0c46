#pragma once

#include "build/project_paths.h"
#include "support/fingerprint.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace retest {

/// One entry of compile_commands.json, ready to be handed to a compiler driver: launchers
/// (ccache, distcc, sccache, icecc, `env X=y`) are stripped, response files expanded.
struct CompileCommand {
  std::string directory; ///< absolute; relative paths in `arguments` start here
  std::string file;      ///< absolute path of the main source file
  std::string object;    ///< absolute path of the output; empty if the command names none
  std::vector<std::string> arguments; ///< arguments[0] is the compiler

  auto operator<=>(const CompileCommand &) const = default;
};

/// A unit of the project: a command and its name (UnitRecord::name).
struct Unit {
  std::string name;
  CompileCommand command;
};

struct CompileDatabase {
  std::string path;        ///< of compile_commands.json
  std::vector<Unit> units; ///< sorted by name, each name once
  /// Entries that are no units (precompiled headers, assembly, ...), with the reason, for -v.
  std::vector<std::string> skipped;
  /// Those of the skipped entries whose objects are linked (assembly, CUDA, ...), sorted.
  std::vector<CompileCommand> others;
};

/// Reads the compile database of a build directory.
///
/// A unit is named by its source file; a file that several entries compile is named with the
/// object, "path@object", and entries that even share the object are numbered ("#2"). Entries
/// that are equal in everything are one unit. A unit whose source is missing stays: parsing it
/// tells. Fails if there is no database, if it is damaged or empty, if no source exists, if a unit
/// is compiled through a shell, and if it is not known what a precompiled header is made from.
llvm::Expected<CompileDatabase> loadCompileDatabase(llvm::StringRef buildDirectory,
                                                    const ProjectPaths &paths);

/// Hash of what a command asks for: its words and its directory, without the outputs (-o, -MF, ...)
/// and with root and build directory, however they are spelled, written as place holders. A
/// checkout that was moved or is reached through a link has the same.
Fingerprint commandFingerprint(const CompileCommand &command, const ProjectPaths &paths);

} // namespace retest
