#pragma once

#include "cli/make_selection.h"
#include "report/runner_text.h"

namespace retest {

struct RunnerOptions {
  FilterForm form = FilterForm::Exclude;
  std::string directory; ///< for files that a filter needs; empty: in the build directory
};

/// Arguments for CTest, a line for each start. Usually there is one.
llvm::Expected<RunnerText> ctestText(const SelectionReport &report, const ProjectPaths &paths,
                                     const RunnerOptions &options);

/// Names for `meson test`, a line for each start. Usually there is one, and always at least one.
llvm::Expected<RunnerText> mesonText(const SelectionReport &report, const ProjectPaths &paths);

/// Target patterns for a file that `bazel test --target_pattern_file=` is given. A label is left
/// out if retest.toml says which program it runs, all tests of that are skipped, and it uses
/// nothing that may have changed but what the program was made from. Patterns always exclude: a
/// label that is asked for by its name fails where `//...` passes it over.
llvm::Expected<RunnerText> bazelText(const SelectionReport &report, const SelectionBasis &basis);

/// Whole commands for a shell that run the selected tests, one in each line. A program that uses a
/// framework is started itself, in the directory and environment of its entries of CTest; CTest
/// runs everything else, and programs of which its properties say what counts as success or what
/// has to run before.
llvm::Expected<RunnerText> commandsText(const SelectionReport &report, const ProjectPaths &paths,
                                        const RunnerOptions &options);

enum class TargetNames {
  CMake, ///< names of targets
  Ninja, ///< files, as build.ninja has them
};

/// What has to be built before the selected tests run, one in each line: programs, and files that
/// the build makes for tests; `all` if that cannot be told.
llvm::Expected<RunnerText> targetsText(const SelectionReport &report, SelectionBasis &basis,
                                       TargetNames names);

} // namespace retest
