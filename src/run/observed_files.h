#pragma once

#include "run/recorded_test.h"
#include "run/traced_process.h"
#include "support/file_state.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace retest {

/// Which files matter. All paths absolute and real (no links), without a slash at the end.
struct WatchedPaths {
  std::vector<std::string> roots;
  std::vector<std::string> ignored = {}; ///< inside the roots, but ours: stores, counters, outputs

  bool contains(llvm::StringRef path) const;
};

/// A program of the project that a test started.
struct StartedProgram {
  std::string path;
  /// It loaded our library and knew where its counters belong; else nothing in it is measured.
  bool hasPreload = false;

  auto operator<=>(const StartedProgram &) const = default;
};

/// What the processes of a test did with files.
struct FileObservations {
  /// Sorted, with absolute paths. Contents are there only where the test changed the file
  /// afterwards; see `addContents`.
  std::vector<FileUse> files;
  std::vector<StartedProgram> programs; ///< sorted
  /// Why there may be more; empty: this is all.
  std::string unmeasured;

  /// What happened before, and belongs to the test as well.
  void add(const FileObservations &before);
};

/// Fills in the contents of what was read, executed or listed, as it is now. What is gone
/// stays without, and so do files for which `isLeftOut` holds.
void addContents(FileObservations &observations, FileStates &files,
                 llvm::function_ref<bool(const std::string &path)> isLeftOut = nullptr);

/// Whether a file is still what it was when a test used it: there or not, of the same kind, with
/// the same content or names. `path` is where it lies now. What was only written does not matter;
/// content that is not known is not the same.
bool isAsUsed(const FileUse &use, const std::string &path, FileStates &files);

/// Of the names in a directory, but those for which `isLeftOut` holds; nothing if it cannot be
/// read.
std::optional<Fingerprint>
listingOf(const std::string &directory,
          llvm::function_ref<bool(const std::string &name)> isLeftOut = nullptr);

/// Of what is at a path, whatever it holds: a file, a directory, a link with what is written in it
/// and what it leads to. Nothing if nothing is there; a link that leads nowhere is something.
std::optional<Fingerprint> kindAt(const std::string &path);

/// Gathers what a test does with files, call by call.
///
/// What a test made itself is not an input of it: reading it back, looking for things in a
/// directory of its own or missing what it removed leaves only the kind Written. A file counts as
/// made by the test if it was not there before, or was emptied or replaced; whether a call that was
/// to do that succeeded is seen later, by the file being another one.
///
/// What somebody else changes after the test has used it is not known any more, and the test is
/// unmeasured: contents are taken when it has ended (`addContents`).
///
///     open("log", O_CREAT)  stat("log")   -> Written log
///     open("in")  open("in", O_TRUNC)     -> Read in (with what was in it), Written in
class ObservedFiles {
public:
  explicit ObservedFiles(WatchedPaths paths) : paths_(std::move(paths)) {}

  /// Something was opened to be read, or looked at, or looked for in vain.
  void looked(const NamedFile &file);
  /// Whether the call before this one looked at the same path, spelled in the same way, which means
  /// the same for all processes: then there is nothing new.
  bool isLastLook(const std::string &path, LastLink last) const {
    return lastLook_ == std::pair(path, last);
  }
  void noteLook(const std::string &path, LastLink last, const NamedFile &file);
  void forgetLook() { lastLook_.reset(); }
  void listed(const NamedFile &directory);
  /// A program, or what is needed to run it.
  void executed(const NamedFile &file);
  /// The process goes on as this program.
  void started(const NamedFile &program, pid_t process, bool knowsCounters);
  /// About to be changed; `replaces`: nothing of it will be left.
  void written(const NamedFile &file, bool replaces);
  /// About to be made, if it does not exist.
  void made(const NamedFile &file);
  void removed(const NamedFile &file);
  /// A second name for what is at `from`.
  void linked(const NamedFile &from, const NamedFile &to);
  void renamed(const NamedFile &from, const NamedFile &to);
  /// The process has loaded our library.
  void preloaded(pid_t process);
  /// From here on, what happens is not seen; the first reason stays.
  void doubt(const std::string &reason);
  bool isDoubted() const { return !doubt_.empty(); }
  bool concerns(const NamedFile &file) const {
    return paths_.contains(file.real) || paths_.contains(file.spelled);
  }

  /// All since the last time.
  FileObservations take();

private:
  using Key = std::pair<FileUseKind, std::string>;
  struct Use {
    std::optional<Fingerprint> content = {}; ///< what it was, where it is no longer there
    std::optional<FileStamp> stamp = {};     ///< of what was read, executed or listed
  };

  bool isOwn(const NamedFile &file) const;
  bool isOwnDirectoryOf(const NamedFile &file, const std::string &directory) const;
  bool isBelowOwn(llvm::StringRef path) const;
  void note(FileUseKind kind, const NamedFile &file, const struct stat &status);
  void note(FileUseKind kind, const NamedFile &file) { note(kind, file, file.status); }
  void noteAt(FileUseKind kind, const std::string &path, const struct stat &status);
  bool isWrittenByTest(const std::string &path) const;
  void checkUse(const std::string &path, const Use &use);
  void keepContent(const NamedFile &file);
  void keepListing(const NamedFile &file);

  WatchedPaths paths_;
  std::map<Key, Use> uses_;
  std::map<std::string, std::set<std::string>> spellings_; ///< of a real path
  /// What the test made; with what was there before.
  std::map<std::string, std::optional<FileStamp>> own_;
  std::set<std::string> gone_; ///< what it removed
  std::vector<StartedProgram> programs_;
  std::map<pid_t, std::size_t> images_; ///< the program that a process runs now
  std::optional<std::pair<std::string, LastLink>> lastLook_;
  std::string doubt_;
};

} // namespace retest
