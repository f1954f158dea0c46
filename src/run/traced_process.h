#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>

namespace retest {

/// What a process means by a path, as found by looking ourselves.
struct NamedFile {
  std::string spelled; ///< absolute, without "." and ".."; links as the process wrote them
  /// Links resolved. Of what is missing: of the directories that exist.
  std::string real;
  bool exists = false;
  struct stat status = {}; ///< if it exists
};

enum class LastLink : std::uint8_t { Follow, Keep };

/// A process, or a thread of one, that waits in a system call.
///
/// Its memory may be changed by another thread between our look and the kernel's: accepted, since
/// tests are taken to be deterministic.
class TracedProcess {
public:
  explicit TracedProcess(pid_t thread) : thread_(thread) {}

  /// The string at an address; nothing if there is none: then the call fails as well.
  std::optional<std::string> text(std::uint64_t address);
  /// Whether all the bytes could be read.
  bool bytes(std::uint64_t address, void *data, std::size_t size);
  /// Whether an array of environment strings sets the variable.
  bool hasVariable(std::uint64_t environment, const std::string &name);
  /// The path of an open file; nothing if there is none, or it has no path.
  std::optional<std::string> openFile(int descriptor);
  /// `directory` may be AT_FDCWD. Nothing: the call fails whatever there is.
  std::optional<NamedFile> named(int directory, std::string path, LastLink last);
  /// The process that the thread belongs to.
  pid_t process();
  /// Of its parents, or itself, that which is a child of `ancestor`; 0: none is.
  pid_t below(pid_t ancestor);

  /// We could not look: what it did is not known. Empty: we could, always.
  const std::string &failure() const { return failure_; }

private:
  std::string ownPath(std::string path) const;
  void fail(const std::string &path, int code);

  pid_t thread_;
  std::string failure_;
};

} // namespace retest
