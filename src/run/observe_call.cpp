#include "run/observe_call.h"

#include "run/file_calls.h"
#include "run/file_filter.h"
#include "run/preload/protocol.h"
#include "run/program_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace retest {
namespace {

/// One call, with its arguments at hand.
struct Call {
  const FileCall &shape;
  const seccomp_notif &notification;
  int listener;
  TracedProcess process;

  /// Whether it still waits: if not, its number may be that of another process by now.
  bool isWaiting() const {
    std::uint64_t id = notification.id;
    return ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
  }
  std::uint64_t argument(int index) const { return notification.data.args[index]; }
  std::uint64_t flags() const { return shape.flags < 0 ? 0 : argument(shape.flags); }

  std::optional<NamedFile> file(LastLink last) { return file(shape.path, shape.directory, last); }
  std::optional<NamedFile> secondFile() {
    return file(shape.toPath, shape.toDirectory, LastLink::Keep);
  }

private:
  std::optional<NamedFile> file(int path, int directory, LastLink last) {
    if (argument(path) == 0)
      return std::nullopt; // of the descriptor, then: known since it was opened
    std::optional<std::string> text = process.text(argument(path));
    if (!text)
      return std::nullopt;
    int base = directory < 0 ? AT_FDCWD : static_cast<int>(argument(directory));
    std::optional<NamedFile> named = process.named(base, *text, last);
    return isWaiting() ? named : std::nullopt;
  }
};

void observeOpen(Call &call, std::uint64_t flags, const std::string &preload,
                 ObservedFiles &observed) {
  // With both flags nothing is made through a link.
  bool makesNew = (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0;
  std::optional<NamedFile> file =
      call.file((flags & O_NOFOLLOW) != 0 || makesNew ? LastLink::Keep : LastLink::Follow);
  if (!file)
    return;
  if (file->real == preload)
    observed.preloaded(static_cast<pid_t>(call.notification.pid));
  bool isPlace = (flags & O_PATH) != 0;
  bool isUnnamed = (flags & O_TMPFILE) == O_TMPFILE;
  bool writes = !isPlace && !isUnnamed && (flags & O_ACCMODE) != O_RDONLY;
  bool empties = !isPlace && (flags & O_TRUNC) != 0;
  if (isPlace || isUnnamed || (file->exists && makesNew))
    return observed.looked(*file);
  if (!file->exists && (flags & O_CREAT) != 0)
    return observed.made(*file);
  if (!file->exists || (!writes && !empties))
    return observed.looked(*file);
  if ((flags & O_ACCMODE) == O_RDWR && !empties)
    observed.looked(*file);
  observed.written(*file, empties);
}

void observeOpenHow(Call &call, const std::string &preload, ObservedFiles &observed) {
  open_how how{};
  if (!call.process.bytes(call.flags(), &how, sizeof how))
    return;
  if ((how.resolve & RESOLVE_IN_ROOT) != 0)
    return observed.doubt("opens files below a root of its own (openat2)");
  observeOpen(call, how.flags, preload, observed);
}

void observeExecute(Call &call, ObservedFiles &observed) {
  bool isExecve = call.shape.directory < 0;
  std::optional<NamedFile> program = call.file(LastLink::Follow);
  if (!program && !isExecve && (call.flags() & AT_EMPTY_PATH) != 0)
    if (std::optional<std::string> path =
            call.process.openFile(static_cast<int>(call.argument(call.shape.directory))))
      program = call.process.named(AT_FDCWD, *path, LastLink::Follow);
  if (!program)
    return;
  observed.executed(*program);
  if (!program->exists || faccessat(AT_FDCWD, program->real.c_str(), X_OK, AT_EACCESS) != 0)
    return;
  std::uint64_t environment = call.argument(isExecve ? 2 : 3);
  bool knowsCounters = call.process.hasVariable(environment, preload::kDirectoryVariable);
  pid_t process = call.process.process();
  observed.started(*program, process, knowsCounters);
  // A script may be run by a script, up to some depth; a binary by a loader.
  for (int depth = 0; depth < 5; ++depth) {
    ProgramFile facts = readProgramFile(program->real);
    if (facts.interpreter.empty())
      break;
    program = call.process.named(AT_FDCWD, facts.interpreter, LastLink::Follow);
    if (!program)
      break;
    observed.executed(*program);
    if (!facts.isBinary)
      observed.started(*program, process, knowsCounters);
  }
}

/// Some look thousands of times at the same file: each `localtime` does at the one of its zone.
void observeLook(Call &call, ObservedFiles &observed) {
  LastLink last = (call.flags() & AT_SYMLINK_NOFOLLOW) != 0 ? LastLink::Keep : LastLink::Follow;
  std::optional<std::string> path = call.process.text(call.argument(call.shape.path));
  if (path && observed.isLastLook(*path, last))
    return;
  observed.forgetLook();
  if (auto file = call.file(last)) {
    observed.looked(*file);
    if (path)
      observed.noteLook(*path, last, *file);
  }
}

void observeList(Call &call, ObservedFiles &observed) {
  if (std::optional<std::string> path = call.process.openFile(static_cast<int>(call.argument(0))))
    if (std::optional<NamedFile> directory = call.process.named(AT_FDCWD, *path, LastLink::Follow))
      observed.listed(*directory);
}

void observeSecondName(Call &call, ObservedFiles &observed) {
  std::optional<NamedFile> from = call.file(LastLink::Keep), to = call.secondFile();
  if (!from || !to)
    return;
  if (call.shape.kind == FileCallKind::Link)
    return observed.linked(*from, *to);
  if ((call.flags() & RENAME_EXCHANGE) != 0)
    observed.renamed(*to, *from);
  observed.renamed(*from, *to);
}

void observe(Call &call, const std::string &preload, ObservedFiles &observed) {
  switch (call.shape.kind) {
  case FileCallKind::Open:
    return observeOpen(call, call.flags(), preload, observed);
  case FileCallKind::OpenHow:
    return observeOpenHow(call, preload, observed);
  case FileCallKind::Create:
    return observeOpen(call, O_CREAT | O_TRUNC | O_WRONLY, preload, observed);
  case FileCallKind::Execute:
    return observeExecute(call, observed);
  case FileCallKind::List:
    return observeList(call, observed);
  case FileCallKind::Rename:
  case FileCallKind::Link:
    return observeSecondName(call, observed);
  case FileCallKind::Hide:
    return observed.doubt(call.shape.hides);
  case FileCallKind::Look:
    return observeLook(call, observed);
  case FileCallKind::LookAtLink:
    if (auto file = call.file(LastLink::Keep))
      observed.looked(*file);
    return;
  case FileCallKind::Remove:
    if (auto file = call.file(LastLink::Keep))
      observed.removed(*file);
    return;
  case FileCallKind::Make:
    if (auto file = call.file(LastLink::Keep))
      observed.made(*file);
    return;
  case FileCallKind::Alter:
    if (auto file = call.file(LastLink::Follow)) {
      if (!file->exists)
        observed.looked(*file);
      else
        observed.written(*file, /*replaces=*/false);
    }
    return;
  }
}

} // namespace

void observeCall(const seccomp_notif &notification, int listener, const std::string &preload,
                 ObservedFiles &observed) {
  const FileCall *shape = fileCall(notification.data.nr);
  if (!shape || notification.data.arch != kFilterArchitecture)
    return observed.doubt("runs a program of another architecture (32 bits?), whose files are "
                          "not seen");
  if (notification.pid == 0)
    return observed.doubt("runs a process that cannot be looked at");
  Call call{*shape, notification, listener, TracedProcess(static_cast<pid_t>(notification.pid))};
  if (shape->kind != FileCallKind::Look)
    observed.forgetLook();
  observe(call, preload, observed);
  if (!call.process.failure().empty())
    observed.doubt(call.process.failure());
}

} // namespace retest
