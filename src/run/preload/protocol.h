#pragma once

#include <cstdint>

namespace retest::preload {

// What retest and the library that it preloads into test programs say to each other. Plain data:
// the library uses nothing but the C library.

/// The directory for counter files of this process and of those that it starts. Without it the
/// library does nothing.
inline constexpr char kDirectoryVariable[] = "RETEST_COUNTER_DIRECTORY";
/// Number of a connected stream socket: the program becomes a fork server.
inline constexpr char kServerVariable[] = "RETEST_SERVER_SOCKET";

/// Behind the directory's name: a link that a process makes when it cannot keep its counters. Its
/// text is the reason: unlike a file's, it needs no room on a full disk.
inline constexpr char kLostSuffix[] = ".lost";

/// What Clang's runtime writes its profile to when the program ends: nowhere, since we have the
/// counters already. Nobody else names that file so.
inline constexpr char kNoProfile[] = "/dev/./null";

/// The section with the counters of GCC, and the one with pointers to its tables (`gcov_info`), in
/// a program that was linked for recording.
inline constexpr char kGccCounters[] = ".retest_counters";
inline constexpr char kGccTables[] = "retest_gcov";

/// A counter file: this header, padded to a page, then the pages of the module that hold its
/// counters, as they lie in memory. There is one for each process and each module with counters.
///
/// The process has mapped the pages of the file in place of its own, so the file is complete
/// however the process ends.
struct CounterFileHeader {
  static constexpr std::uint64_t kMagic = 0x33746e6374736574; // "testcnt3"

  std::uint64_t magic;
  std::uint64_t headerSize;     ///< where the pages begin
  std::uint64_t countersOffset; ///< of the first counter, from the beginning of the pages
  std::uint64_t countersSize;   ///< in bytes
  std::uint32_t buildIdSize;    ///< 0: the module has none
  std::uint8_t buildId[36];
  std::uint64_t process;
  std::uint32_t hadThreads; ///< not 0: a second thread was started; counts may be too low
  std::uint32_t hasEnded;   ///< not 0: no function was left half-way, as by a signal (ends.h)
  char module[2048];        ///< path of the executable or library; cut off if it is longer
};

/// What a server says when it has come to `main`. The magic number is another one whenever the rest
/// is, so that libraries of other versions are known.
struct ServerHello {
  static constexpr std::uint32_t kMagic = 0x7265727a; // "rerz"

  std::uint32_t magic;
  std::uint32_t threads;       ///< that live; more than one cannot be forked
  std::uint32_t descriptors;   ///< opened since the start, beside ours
  std::uint32_t modules;       ///< with counters
  std::uint32_t losesChildren; ///< not 0: how its children end is not told
  std::uint32_t hasTimers;     ///< not 0: it has set some, which do not come along with a fork
  std::uint32_t sharesMemory;  ///< not 0: with its children
  std::uint32_t hasChildren;   ///< not 0: processes that it has started, or these have left
};

/// Asks for one run. With it come open files: for standard output, for standard error, and empty
/// ones for the counters of the first modules that have some. Behind it come `textSize` bytes:
/// zero-terminated strings: directory for further counter files, working directory (may be empty),
/// then the arguments, the program's name first.
///
/// Files are handed over open, since a test that is watched pays for each file that it opens.
struct RunRequest {
  static constexpr std::uint32_t kMostCounterFiles = 16;
  static constexpr std::uint32_t kMostFiles = 2 + kMostCounterFiles;

  std::uint32_t arguments;
  std::uint32_t textSize;
  std::uint32_t files;
};

/// From the child: it has the request, and is in a process group of its own. From the server: -1,
/// there is no child.
struct RunStarted {
  std::int32_t process;
};

struct RunEnded {
  std::int32_t status; ///< as waitpid gives it
  std::int32_t isSignalled;
  std::int64_t userMicroseconds, systemMicroseconds, maxResidentKilobytes;
};

} // namespace retest::preload
