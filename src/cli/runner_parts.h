#pragma once

#include "cli/filter_files.h"
#include "cli/runner_formats.h"
#include "run/ctest_suite.h"

namespace retest {

// What the formats for runners have in common.

/// Where files go that filters need.
std::string filterDirectory(const RunnerOptions &options, const ProjectPaths &paths);

/// A program, by its path, as tests name it.
std::string binaryOf(llvm::StringRef path, const ProjectPaths &paths);
inline auto binaryNames(const ProjectPaths &paths) {
  return [&paths](llvm::StringRef path) { return binaryOf(path, paths); };
}

/// The entries as they are now; those of programs for a project without any.
llvm::Expected<std::vector<SuiteEntry>> entriesOf(const SelectionReport &report,
                                                  const ProjectPaths &paths);

/// What an include form cannot have: tests of the program that are not entries of CTest yet.
std::string notEntriesYet(const std::string &binary);

/// The arguments of each start with which CTest runs the wanted entries; none: none is wanted. What
/// else runs is told in `result`, but for entries that somebody runs in another way.
llvm::Expected<std::vector<std::vector<std::string>>>
ctestStarts(llvm::ArrayRef<SuiteEntry> entries, const std::vector<bool> &isWanted,
            const std::vector<bool> &runsElsewhere, FilterForm form, FilterFiles &files,
            RunnerText &result);

/// The same for `meson test`, which has no other form.
llvm::Expected<std::vector<std::vector<std::string>>>
mesonStarts(llvm::ArrayRef<SuiteEntry> entries, const std::vector<bool> &isWanted,
            const std::vector<bool> &runsElsewhere, RunnerText &result);

} // namespace retest
