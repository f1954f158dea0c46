#pragma once

#include "build/compile_database.h"
#include "graph/extract_options.h"

#include <string>
#include <vector>

namespace retest {

/// A compile command as Clang's front end needs it.
struct ClangCommand {
  std::vector<std::string> arguments; ///< arguments[0] stands for the compiler
  std::vector<std::string> dropped;   ///< flags that Clang does not know
};

/// Brings a command made for any compiler into a form that Clang parses without side effects:
/// no output, no dependency files, no plug-ins, no precompiled headers (the headers they were
/// made from are read instead), no warnings, hence none that count as errors. Flags that only
/// GCC knows are dropped.
///
/// With `mapsPaths`, __FILE__ is spelled relative to the root, so that a checkout elsewhere gives
/// the same program.
ClangCommand clangCommand(const CompileCommand &command, const ProjectPaths &paths,
                          const ExtractOptions &options, bool mapsPaths);

} // namespace retest
