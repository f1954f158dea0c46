#include "run/observed_files.h"

#include "run/program_file.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <sys/stat.h>

namespace retest {
namespace {

bool isBelow(llvm::StringRef path, llvm::StringRef directory) {
  return path.consume_front(directory) && (path.empty() || path.starts_with("/"));
}

std::string parentOf(llvm::StringRef path) {
  llvm::StringRef parent = path.rsplit('/').first;
  return parent.empty() ? "/" : parent.str();
}

bool hasContent(FileUseKind kind) {
  return kind == FileUseKind::Read || kind == FileUseKind::Executed || kind == FileUseKind::Listed;
}

/// Whether there is something else at the path now. A new name or other rights are no other
/// content.
bool isOther(const FileStamp &then, const std::string &path) {
  std::optional<FileStamp> now = stampOf(path);
  return !now || now->inode != then.inode || now->device != then.device || now->size != then.size ||
         now->modified != then.modified;
}

bool isThere(const std::string &path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0;
}

} // namespace

void FileObservations::add(const FileObservations &before) {
  std::map<std::pair<FileUseKind, std::string>, Fingerprint> contents;
  for (const FileObservations *each : {&before, static_cast<const FileObservations *>(this)})
    for (const FileUse &use : each->files) {
      Fingerprint &content = contents.try_emplace({use.kind, use.path}, use.content).first->second;
      if (content == Fingerprint() && use.kind != FileUseKind::Missing)
        content = use.content; // what it was at first, as far as that is known
    }
  files.clear();
  for (const auto &[key, content] : contents)
    files.push_back({key.first, key.second, content});
  programs.insert(programs.end(), before.programs.begin(), before.programs.end());
  llvm::sort(programs);
  programs.erase(std::unique(programs.begin(), programs.end()), programs.end());
  if (unmeasured.empty())
    unmeasured = before.unmeasured;
}

bool WatchedPaths::contains(llvm::StringRef path) const {
  auto holds = [&](const std::string &directory) { return isBelow(path, directory); };
  return llvm::any_of(roots, holds) && llvm::none_of(ignored, holds);
}

/// A directory around a file, or the file itself, was made by the test.
bool ObservedFiles::isOwnDirectoryOf(const NamedFile &file, const std::string &directory) const {
  if (!file.exists && gone_.contains(directory) && !isThere(directory))
    return true; // and not one that could not be removed
  auto own = own_.find(directory);
  if (own == own_.end())
    return false;
  if (!own->second) // what was to be made may not have come about
    return file.exists || isThere(directory);
  return file.exists && directory == file.real && stampOf(file.status) != *own->second;
}

bool ObservedFiles::isOwn(const NamedFile &file) const {
  if (own_.empty() && gone_.empty())
    return false;
  for (llvm::StringRef path = file.real; !path.empty(); path = path.rsplit('/').first) {
    if (isOwnDirectoryOf(file, path.str()))
      return true;
    if (!path.contains('/'))
      break;
  }
  return false;
}

bool ObservedFiles::isBelowOwn(llvm::StringRef path) const {
  for (; path.contains('/'); path = path.rsplit('/').first)
    if (own_.contains(path.str()))
      return true;
  return false;
}

/// Under both names: a link on the way may come to lead elsewhere, and another test may write the
/// file under its own name.
void ObservedFiles::note(FileUseKind kind, const NamedFile &file, const struct stat &status) {
  if (paths_.contains(file.real))
    noteAt(kind, file.real, status);
  if (file.spelled == file.real || !paths_.contains(file.spelled) || isBelowOwn(file.spelled))
    return;
  noteAt(kind, file.spelled, status);
  spellings_[file.real].insert(file.spelled);
}

void ObservedFiles::noteAt(FileUseKind kind, const std::string &path, const struct stat &status) {
  auto [use, isFirst] = uses_.try_emplace({kind, path});
  if (!isFirst)
    return;
  if (kind == FileUseKind::Missing || kind == FileUseKind::Found)
    use->second.content = kindAt(path);
  else if (hasContent(kind))
    use->second.stamp = stampOf(status);
}

/// Whether the test itself changed the file, or names in the directory.
bool ObservedFiles::isWrittenByTest(const std::string &path) const {
  if (uses_.contains({FileUseKind::Written, path}))
    return true;
  auto inside = own_.lower_bound(path + "/");
  return inside != own_.end() && isBelow(inside->first, path);
}

/// Before the content that a use has now is taken: that it is still the one that was used.
void ObservedFiles::checkUse(const std::string &path, const Use &use) {
  if (use.stamp && !isWrittenByTest(path) && isOther(*use.stamp, path))
    doubt(path + " was changed by somebody else while the test ran");
}

/// Before a file is changed: what was read of it is not there at the end.
void ObservedFiles::keepContent(const NamedFile &file) {
  auto keep = [&](const std::string &path) {
    for (FileUseKind kind : {FileUseKind::Read, FileUseKind::Executed})
      if (auto use = uses_.find({kind, path}); use != uses_.end() && !use->second.content) {
        checkUse(path, use->second);
        use->second.content = FileStates().current(path);
      }
  };
  keep(file.real);
  if (auto names = spellings_.find(file.real); names != spellings_.end())
    for (const std::string &name : names->second)
      keep(name);
}

/// Before a name appears in a directory or goes: what was listed is not there at the end. Names
/// that the test made were not there before it, and will not be when it is gone.
void ObservedFiles::keepListing(const NamedFile &file) {
  std::string directory = parentOf(file.real);
  auto isMade = [&](const std::string &name) {
    auto own = own_.find(directory + "/" + name);
    return own != own_.end() && !own->second;
  };
  if (auto use = uses_.find({FileUseKind::Listed, directory});
      use != uses_.end() && !use->second.content) {
    checkUse(directory, use->second);
    use->second.content = listingOf(directory, isMade);
  }
}

void ObservedFiles::looked(const NamedFile &file) {
  if (!concerns(file) || isOwn(file))
    return;
  if (!file.exists)
    return note(FileUseKind::Missing, file);
  struct stat status = file.status;
  if (S_ISLNK(status.st_mode) && stat(file.spelled.c_str(), &status) != 0)
    return note(FileUseKind::Missing, file); // a link that leads nowhere
  if (S_ISLNK(file.status.st_mode))
    note(FileUseKind::Found, file); // what is written in it, whatever is behind it
  if (!S_ISREG(status.st_mode))
    return note(FileUseKind::Found, file);
  bool isBinary =
      uses_.contains({FileUseKind::Executed, file.real}) ||
      (!uses_.contains({FileUseKind::Read, file.real}) && readProgramFile(file.real).isBinary);
  note(isBinary ? FileUseKind::Executed : FileUseKind::Read, file, status);
}

void ObservedFiles::noteLook(const std::string &path, LastLink last, const NamedFile &file) {
  auto isProcessOwn = [](llvm::StringRef name) {
    return name.starts_with("/proc/") || name.starts_with("/dev/");
  };
  if (path.starts_with("/") && !path.starts_with("//") && !isProcessOwn(path) &&
      !isProcessOwn(file.spelled) && !isProcessOwn(file.real))
    lastLook_.emplace(path, last);
}

void ObservedFiles::listed(const NamedFile &directory) {
  if (concerns(directory) && !isOwn(directory))
    note(FileUseKind::Listed, directory);
}

void ObservedFiles::executed(const NamedFile &file) {
  if (!concerns(file) || isOwn(file))
    return;
  if (!file.exists || !S_ISREG(file.status.st_mode))
    return looked(file);
  note(FileUseKind::Executed, file);
  if (!readProgramFile(file.real).isBinary)
    note(FileUseKind::Read, file); // a script is read by its interpreter
}

void ObservedFiles::started(const NamedFile &program, pid_t process, bool knowsCounters) {
  images_.erase(process);
  if (!concerns(program) || !readProgramFile(program.real).isBinary)
    return;
  images_[process] = programs_.size();
  programs_.push_back({program.real, false});
  if (!knowsCounters)
    images_.erase(process); // whatever it loads
}

void ObservedFiles::preloaded(pid_t process) {
  if (auto image = images_.find(process); image != images_.end())
    programs_[image->second].hasPreload = true;
}

void ObservedFiles::written(const NamedFile &file, bool replaces) {
  if (!file.exists)
    return made(file);
  if (!concerns(file))
    return;
  if (!isOwn(file)) {
    keepContent(file);
    if (replaces)
      own_[file.real] = stampOf(file.status);
  }
  note(FileUseKind::Written, file);
}

void ObservedFiles::made(const NamedFile &file) {
  if (!concerns(file))
    return;
  if (file.exists || !isThere(parentOf(file.real)))
    return looked(file); // the call will fail
  keepListing(file);
  own_[file.real] = std::nullopt;
  note(FileUseKind::Written, file);
}

void ObservedFiles::removed(const NamedFile &file) {
  if (!concerns(file))
    return;
  if (!file.exists)
    return looked(file);
  keepContent(file);
  keepListing(file);
  gone_.insert(file.real);
  note(FileUseKind::Written, file);
}

void ObservedFiles::linked(const NamedFile &from, const NamedFile &to) {
  if (!concerns(from) && !concerns(to))
    return;
  if (!from.exists)
    return looked(from);
  if (S_ISDIR(from.status.st_mode) && concerns(from) && !isOwn(from))
    doubt("renames a directory that it did not make: " + from.real);
  looked(from);
  if (!concerns(to))
    return;
  if (to.exists && !isOwn(to)) {
    keepContent(to);
    own_[to.real] = stampOf(to.status);
  } else {
    keepListing(to);
    own_[to.real] = std::nullopt;
  }
  note(FileUseKind::Written, to);
}

void ObservedFiles::renamed(const NamedFile &from, const NamedFile &to) {
  linked(from, to);
  removed(from);
}

void ObservedFiles::doubt(const std::string &reason) {
  if (doubt_.empty())
    doubt_ = reason;
}

FileObservations ObservedFiles::take() {
  FileObservations taken;
  for (const auto &[key, use] : uses_) {
    if (!use.content)
      checkUse(key.second, use);
    taken.files.push_back({key.first, key.second, use.content.value_or(Fingerprint{})});
  }
  taken.programs = std::move(programs_);
  llvm::sort(taken.programs);
  taken.programs.erase(llvm::unique(taken.programs), taken.programs.end());
  taken.unmeasured = std::move(doubt_);
  *this = ObservedFiles(std::move(paths_));
  return taken;
}

} // namespace retest
