#pragma once

#include "select/changed_environment.h"
#include "select/new_tests.h"
#include "select/selection.h"
#include "select/witness_rows.h"

namespace retest {

/// A file that is not what it was when tests used it.
struct FileChange {
  FileUseKind kind = FileUseKind::Read; ///< how they had used it
  std::string path;
  std::vector<TestId> tests; ///< sorted

  auto operator<=>(const FileChange &) const = default;
};

/// A file that some tests write and others read, look for or list.
struct SharedFile {
  std::string path;
  std::vector<TestId> writers, readers;

  auto operator<=>(const SharedFile &) const = default;
};

/// All that decides about the tests of a baseline. Everything is of that one recording (rule 16).
struct SelectInput {
  const Delta &delta;
  const Project &baseline;
  const Names &names;
  llvm::ArrayRef<RecordedTest> tests;
  const WitnessRows &rows; ///< for the witnesses of the delta
  std::vector<FileChange> files = {};
  std::vector<SharedFile> sharedFiles = {};
  std::vector<TestId> resettled = {}; ///< that are run in another way now
  std::vector<EnvironmentChange> environment = {};
  RegisteredTests registered = {};
  std::vector<TestId> always = {};
};

/// What the witnesses of the delta ask for.
WantedRows wantedRows(const Delta &delta, const Project &baseline, const Names &names);

/// Decides about every test. A test is skipped only if nothing at all speaks for it.
Selection selectTests(const SelectInput &input);

} // namespace retest
