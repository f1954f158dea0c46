#pragma once

#include "support/fingerprint.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace retest {

/// CTest's TIMEOUT_AFTER_MATCH: a new time limit from when the output matches.
struct TimeoutAfterMatch {
  std::chrono::milliseconds timeout{0};
  std::vector<std::string> expressions; ///< of CMake

  auto operator<=>(const TimeoutAfterMatch &) const = default;
};

/// One test as CTest knows it: a command, and what CMake's test properties say about it.
struct SuiteEntry {
  std::string name;
  std::vector<std::string> command = {};     ///< the program first, by its path; empty: not found
  std::string directory = {};                ///< where it runs; empty: ours
  std::vector<std::string> environment = {}; ///< `A=1`; `A` alone removes it
  std::vector<std::string> environmentModifications = {}; ///< `A=string_append:1`
  std::optional<std::chrono::milliseconds> timeout = {};  ///< nothing: it may run for ever
  std::optional<TimeoutAfterMatch> timeoutAfterMatch = {};

  // What turns an exit into an outcome.
  bool willFail = false;
  std::vector<std::string> passExpressions = {}, failExpressions = {}, skipExpressions = {};
  std::optional<int> skipReturnCode = {};
  std::optional<int> errorReturnCode = {}; ///< of Meson: a failure, meant or not
  bool mayCrashToFail = false;             ///< of Meson: if it is meant to fail, a crash is that

  // What has to be so before it runs, and beside it.
  bool isDisabled = false;
  std::vector<std::string> requiredFiles = {};
  bool runsAlone = false;  ///< RUN_SERIAL
  unsigned processors = 1; ///< how many of the jobs it counts for
  std::vector<std::string> resourceLocks = {};
  std::vector<std::string> depends = {}; ///< names of entries that run before it
  std::vector<std::string> fixturesRequired = {}, fixturesSetup = {}, fixturesCleanup = {};

  std::vector<std::string> labels = {};
  /// Properties that CTest tells of and that are not honoured here; sorted.
  std::vector<std::string> unknownProperties = {};

  auto operator<=>(const SuiteEntry &) const = default;
};

/// The tests of a CMake build directory, in CTest's order, by `ctest --show-only=json-v1`.
///
/// Nothing is run, but CTest includes the CTestTestfile.cmake of the project. Without
/// `include(CTest)` a test may run for ever; with it, 1500 s unless the project says otherwise
/// (DART_TESTING_TIMEOUT). What only a multi-configuration generator needs is the configuration:
/// "Debug".
llvm::Expected<std::vector<SuiteEntry>> readCTestSuite(const std::string &buildDirectory,
                                                       const std::string &configuration = "");

/// Reads CTest's answer. `usualTimeout` is for entries without one of their own.
llvm::Expected<std::vector<SuiteEntry>>
parseCTestSuite(llvm::StringRef json, std::optional<std::chrono::milliseconds> usualTimeout);

/// For a project without CTest: an entry for each program, run where it lies, without a time limit.
std::vector<SuiteEntry> entriesFor(const std::vector<std::string> &programs);

/// What the program is to find in its environment, beside ours, as CTest would make it.
struct EntryEnvironment {
  std::vector<std::pair<std::string, std::string>> set;
  std::vector<std::string> removed;
};

/// An error for a modification that CTest does not know: it does not run the entry then.
llvm::Expected<EntryEnvironment> environmentOf(const SuiteEntry &entry);

/// A directory, and what it is called in fingerprints, so that they are the same for a project that
/// lies elsewhere.
struct NamedDirectory {
  std::string path, name;
};

/// Of all that decides how an entry runs and what counts as success; not of its name and labels.
/// Of directories that contain each other the inner one comes first.
Fingerprint settingsOf(const SuiteEntry &entry, llvm::ArrayRef<NamedDirectory> directories = {});

/// The settings of entries, by their names.
class SuiteSettings {
public:
  explicit SuiteSettings(llvm::ArrayRef<SuiteEntry> entries,
                         llvm::ArrayRef<NamedDirectory> directories = {});

  /// Of all entries of these names together; nothing if one is not there.
  std::optional<Fingerprint> of(llvm::ArrayRef<std::string> names) const;

private:
  llvm::StringMap<Fingerprint> entries_; ///< of all that share the name
};

} // namespace retest
