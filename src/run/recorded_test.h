#pragma once

#include "run/test_framework.h"
#include "support/fingerprint.h"

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace retest {

/// How a test ended, by the rules of CTest for the entry that it came from.
enum class TestStatus : std::uint8_t {
  Passed,
  Failed,
  TimedOut,
  Crashed,  ///< ended by a signal
  Skipped,  ///< said so itself: SKIP_RETURN_CODE, a framework's skip
  Disabled, ///< not run: DISABLED, or runs only if it is asked for
  NotRun,   ///< could not be started, or what it depends on failed
};

/// Whether it counts as a failure.
inline bool isFailure(TestStatus status) {
  return status == TestStatus::Failed || status == TestStatus::TimedOut ||
         status == TestStatus::Crashed || status == TestStatus::NotRun;
}

/// What a test did with a file or directory.
enum class FileUseKind : std::uint8_t {
  Read,     ///< opened for reading
  Missing,  ///< looked for and not found
  Listed,   ///< a directory whose entries were read
  Executed, ///< started as a program, or loaded as a library
  Written,  ///< opened for writing, created, renamed, removed
  Found,    ///< looked for and found, a directory or a link for example; not what is in it
};

struct FileUse {
  FileUseKind kind = FileUseKind::Read;
  std::string path; ///< as ProjectPaths::nameOf gives it
  /// Of a file that was read: its content; of a listed directory: of the names in it; of what was
  /// found: of its kind, and so of a link that leads nowhere and is Missing. Zero: not known, or
  /// none.
  Fingerprint content;

  auto operator<=>(const FileUse &) const = default;
};

/// What a framework itself says of a test: what its filters go by.
struct NativeFacts {
  std::string name;          ///< NativeTest::name
  bool isDisabled = false;   ///< NativeTest::isDisabled, also if an entry of CTest asks for it
  bool bringsOthers = false; ///< NativeTest::bringsOthers

  auto operator<=>(const NativeFacts &) const = default;
};

/// A test, and what is known of its last run. Its identity is (binary, name).
struct RecordedTest {
  std::string binary; ///< the program, as ProjectPaths::nameOf gives it; empty: a plain CTest entry
  /// The framework's own name with what makes it unique in the program (FoundTest), or that of the
  /// CTest entry.
  std::string name;
  std::optional<Framework> framework = {}; ///< none: a plain CTest entry
  std::string suite = {};
  std::string file = {}; ///< where it is written, as ProjectPaths::nameOf gives it; empty: unknown
  std::uint32_t line = 0;
  /// Nothing: a plain CTest entry; or a retest recorded it that did not keep this.
  std::optional<NativeFacts> native = {};
  /// The CTest entries that run it; a plain entry: itself.
  std::vector<std::string> entries = {};
  /// Of all that decides how it is run: command, arguments, environment, directory, properties.
  Fingerprint settings = {};

  TestStatus status = TestStatus::NotRun;
  std::chrono::microseconds duration{0};
  /// Why its coverage is not known: it is always selected (S3). Empty: it was measured.
  std::string unmeasured = {};
  /// The binaries of the project that its processes ran or loaded, by name; sorted.
  std::vector<std::string> programs = {};
  std::vector<FileUse> files = {}; ///< sorted

  auto operator<=>(const RecordedTest &) const = default;
};

/// The name for people, unique over binaries: "subject_test::C.Low", a plain entry's own name.
std::string idOf(const RecordedTest &test);

/// The name in the framework, as far as it is known, or of the plain entry.
const std::string &nativeNameOf(const RecordedTest &test);

} // namespace retest
