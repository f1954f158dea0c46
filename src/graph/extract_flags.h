#pragma once

#include "build/compile_database.h"
#include "support/fingerprint.h"

namespace retest {

/// The flags of a command that decide how code is generated, and the name of the compiler.
///
/// Everything counts that is not known to be harmless: macros, include paths and included files
/// (what they change is seen in the syntax tree and in how external headers read), warnings, other
/// diagnostics, dependency files, names of inputs and outputs. So -O, -std, -f... and -m... count,
/// and what Clang does not know does, too. A file that such a flag names counts with its content.
Fingerprint codeGenerationFlags(const CompileCommand &command, const ProjectPaths &paths);

/// The files that such flags name (-fprofile-use=...), absolute, whether they exist or not. Parsing
/// alone does not read them.
std::vector<std::string> filesOfFlags(const CompileCommand &command);

} // namespace retest
