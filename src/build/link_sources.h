#pragma once

#include "build/link_command.h"

#include <optional>
#include <string>
#include <vector>

namespace retest {

/// Everything that one description of the build says about linking.
struct LinkLines {
  std::string source; ///< LinkPlan::source
  std::vector<LinkCommand> links;
  std::vector<FileAlias> aliases;
  std::vector<CompileCommand> compilations; ///< LinkLine::compilations
  /// Commands that may be links, where every command of the build is listed.
  std::vector<std::vector<std::string>> unknown;
  std::vector<std::string> notes;
};

/// The link.txt files of CMake's Makefiles; nothing if there are none.
std::optional<LinkLines> readLinkScripts(const ProjectPaths &paths,
                                         const llvm::StringSet<> &drivers);

/// The link.txt of each program and library, by the path of what it makes (withRealParent).
llvm::StringMap<std::string> linkScriptsByOutput(llvm::StringRef build,
                                                 const llvm::StringSet<> &drivers);

/// The programs that compile the units, which may link as well.
llvm::StringSet<> compilersOf(const CompileDatabase &database);

/// The commands of build.ninja, asked from ninja without building; nothing if there is no
/// build.ninja. A ninja that is missing or fails is a note, with no links.
std::optional<LinkLines> readNinjaCommands(const ProjectPaths &paths,
                                           const llvm::StringSet<> &drivers);

/// The newest reply of CMake's file API; nothing if there is none. Sources are turned into the
/// objects that the compile database names for them.
std::optional<LinkLines> readFileApi(const CompileDatabase &database, const ProjectPaths &paths);

/// Adds a line of shell to what is known.
void addLine(LinkLines &lines, LinkLine line);

} // namespace retest
