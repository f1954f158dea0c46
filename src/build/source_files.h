#pragma once

#include "build/compile_database.h"

#include <map>
#include <string>

namespace retest {

/// The files that may decide what a C or C++ compiler makes of a source, with their contents, by
/// name (ProjectPaths::nameOf). For sources that nobody parses: those of a command of the project,
/// which the compile database does not have.
///
///     c++ -Iinclude -include config.h tool.cc libx.a -o tool
///     -> tool.cc, include/config.h, each file that these may include, and theirs
///
/// Nothing is preprocessed, so there may be more than the compiler reads, and not fewer. Each text
/// in quotes or angle brackets counts, since a macro may hand it to `#include`, and each file that
/// it can mean: beside its includer, in the directory of the command, and below each directory that
/// the command names. Where a project file includes what a macro puts together, or a module, any
/// file of the project may be meant. What compilers know without being told (/usr/include) is left
/// out, as are objects and libraries.
std::map<std::string, Fingerprint> filesOfSource(const CompileCommand &command,
                                                 const ProjectPaths &paths);

} // namespace retest
