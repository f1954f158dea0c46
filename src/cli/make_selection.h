#pragma once

#include "cli/tree.h"
#include "db/store.h"
#include "diff/granularity.h"
#include "report/selection_report.h"
#include "run/ctest_suite.h"

namespace retest {

struct SelectionOptions {
  TreeOptions tree;
  std::string base; ///< a baseline, or a commit; empty: choose
  Granularity granularity = Granularity::Edges;
  /// Each unit is in the tree, parsed or from the parse cache: none is left to the baseline. For
  /// whoever stores the tree afterwards.
  bool readsAllUnits = false;
  /// Tests that failed in a run since the baseline was recorded are selected.
  bool takesLastFailed = true;
  bool isStrict = false; ///< a store that cannot be used is an error
};

/// What a selection was made from, for whoever goes on from there. Of one that failed, what was
/// known by then; `isComplete` tells.
struct SelectionBasis {
  ProjectPaths paths; ///< without a build directory: no project was found
  std::optional<Store> store;
  std::optional<BaselineIndex> index;
  std::optional<StoredCoverage> coverage;
  std::vector<RecordedTest> tests; ///< of the baseline, by TestId; without their files
  std::optional<Tree> tree;        ///< the current one
  Names names;                     ///< of both versions
  /// Empty if no unit has changed and they were not to be read; `isUnchanged` tells.
  Project baseline, current;
  SourceLines baselineLines, currentLines;
  bool isUnchanged = false;
  Delta delta;
  std::vector<FileChange> files;
  std::vector<SharedFile> sharedFiles;
  RegisteredTests registered;
  std::vector<SuiteEntry> entries; ///< of CTest, as the build directory describes them now
  Selection selection;             ///< by TestId
  bool isComplete = false;
};

/// Which tests the tree as it is asks for. An error is a mistake of the user's; whatever else goes
/// wrong selects all tests, and the report says why. What it was made from goes to `basis`.
llvm::Expected<SelectionReport> makeSelection(const SelectionOptions &options, Context &context,
                                              SelectionBasis *basis = nullptr);

} // namespace retest
