#pragma once

#include "build/compile_database.h"

namespace retest {

/// What tells whether an object of another language than C and C++ (assembly, CUDA, Fortran) is
/// still the same: its command, its source, and the files of the project that these include.
///
/// The text is searched for `#include`, `.include` and `.incbin`, whether they are compiled or not.
/// A file that is not found where the command says counts as soon as it is. Zero if the source is
/// missing.
Fingerprint contentOfSources(const CompileCommand &command, const ProjectPaths &paths);

} // namespace retest
