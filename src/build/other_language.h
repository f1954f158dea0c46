#pragma once

#include "build/compile_database.h"

#include <llvm/ADT/StringRef.h>

namespace retest {

/// The texts in quotes or angle brackets, any of which may name a file.
std::vector<std::string> quotedIn(llvm::StringRef text);

/// What tells whether an object that no unit stands for is still the same: its command, its source,
/// and the files of the project that these include. Its language is another one than C and C++
/// (assembly, CUDA, Fortran), or a command of the project compiles it (filesOfSource).
///
/// What a source of another language includes is not searched for by directives: `.incbin` may
/// stand behind a label or in a macro that is handed the name. Each name in quotes counts, in the
/// source and in the command; in the files that it includes, which may be data, on lines that
/// include something. A file that is not found where the command says counts as soon as it is. Zero
/// if the source is missing.
Fingerprint contentOfSources(const CompileCommand &command, const ProjectPaths &paths);

} // namespace retest
