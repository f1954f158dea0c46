#pragma once

#include "graph/extract_unit.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

namespace retest {

/// Checks that every compiler named in the commands can be found: a tree that cannot be built
/// has no tests to select.
llvm::Error checkCompilers(const CompileDatabase &database);

/// The compilers of the commands, by path; each once, sorted.
std::vector<std::string> compilersOf(const CompileDatabase &database);

/// Finds what parsing needs: Clang's own headers, and how each compiler of the database looks
/// for its libraries (GCC is asked).
llvm::Expected<ExtractOptions> prepareExtraction(const CompileDatabase &database);

/// What beside its compile command decides how a unit is read: this program's version of the
/// extraction, Clang's version, options. Part of UnitRecord::command.
Fingerprint commandKey(const Unit &unit, const ProjectPaths &paths, bool lineSensitive);

/// The same for people to read, kept with a baseline: fingerprints made by other rules cannot be
/// compared.
std::string describeExtraction(bool lineSensitive);

/// Reads the units with `jobs` threads. `done` gets each result as it comes, one at a time.
void extractUnits(llvm::ArrayRef<const Unit *> units, const ProjectPaths &paths,
                  const ExtractOptions &options, unsigned jobs,
                  llvm::function_ref<void(ExtractedUnit)> done);

} // namespace retest
