#pragma once

#include "select/changed_environment.h"
#include "select/new_tests.h"
#include "select/selection.h"
#include "select/witness_rows.h"

namespace retest {

enum class FileChangeKind : std::uint8_t {
  Other,    ///< it is not what it was, or gone, or there now
  MadeAnew, ///< it is out of date: the build would make it anew
  NotKnown, ///< the build may make it anew, and nobody tells what from: a doubt
};

/// A file that is not what it was when tests used it, or will not be when the project is built.
struct FileChange {
  FileUseKind kind = FileUseKind::Read; ///< how they had used it
  std::string path;
  std::vector<TestId> tests; ///< sorted
  FileChangeKind change = FileChangeKind::Other;
  std::string command = {}; ///< NotKnown: what the build would run, or empty: that is not known

  auto operator<=>(const FileChange &) const = default;
};

/// A file that some tests write and others read, look for or list.
struct SharedFile {
  std::string path;
  std::vector<TestId> writers, readers;

  auto operator<=>(const SharedFile &) const = default;
};

/// A changed file that the configuration takes for a reason to run some tests.
struct TriggeredTests {
  std::string path;          ///< of the file
  std::string where, reason; ///< "retest.toml:3:1", and what the user says about it, or nothing
  std::vector<TestId> tests; ///< sorted

  auto operator<=>(const TriggeredTests &) const = default;
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
  std::vector<TriggeredTests> triggered = {};
  /// That are not reliable: what they did when they were recorded proves nothing.
  std::vector<TestId> quarantined = {};
  SelectRules rules = {};
};

/// What the witnesses of the delta ask for.
WantedRows wantedRows(const Delta &delta, const Project &baseline, const Names &names,
                      const SelectRules &rules = {});

/// Decides about every test. A test is skipped only if nothing at all speaks for it.
Selection selectTests(const SelectInput &input);

} // namespace retest
