#include "run/file_calls.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <sys/syscall.h>
#include <vector>

namespace retest {
namespace {

using enum FileCallKind;

constexpr char kUring[] = "uses io_uring, which opens files unseen";
constexpr char kHandle[] = "opens files by handle instead of by name";
constexpr char kMounts[] = "changes which files it sees (mount, chroot or namespace)";

std::vector<FileCall> sortedCalls() {
  std::vector<FileCall> calls = {
      {SYS_openat, Open, 1, 0, 2},
      {SYS_openat2, OpenHow, 1, 0, 2},
      {SYS_execve, Execute, 0},
      {SYS_execveat, Execute, 1, 0, 4},
      {SYS_newfstatat, Look, 1, 0, 3},
      {SYS_statx, Look, 1, 0, 2},
      {SYS_faccessat, Look, 1, 0},
      {SYS_faccessat2, Look, 1, 0, 3},
      {SYS_readlinkat, LookAtLink, 1, 0},
      {SYS_name_to_handle_at, Look, 1, 0},
      {SYS_inotify_add_watch, Look, 1},
      {SYS_getxattr, Look, 0},
      {SYS_lgetxattr, LookAtLink, 0},
      {SYS_listxattr, Look, 0},
      {SYS_llistxattr, LookAtLink, 0},
      {SYS_statfs, Look, 0},
      {SYS_chdir, Look, 0},
      {SYS_getdents64, List},
      {SYS_renameat2, Rename, 1, 0, 4, 3, 2},
      {SYS_unlinkat, Remove, 1, 0},
      {SYS_mkdirat, Make, 1, 0},
      {SYS_symlinkat, Make, 2, 1},
      {SYS_mknodat, Make, 1, 0},
      {SYS_linkat, Link, 1, 0, -1, 3, 2},
      {SYS_truncate, Alter, 0},
      {SYS_fchmodat, Alter, 1, 0},
      {SYS_fchownat, Alter, 1, 0},
      {SYS_utimensat, Alter, 1, 0},
      {SYS_setxattr, Alter, 0},
      {SYS_lsetxattr, Alter, 0},
      {SYS_removexattr, Alter, 0},
#ifdef SYS_renameat
      {SYS_renameat, Rename, 1, 0, -1, 3, 2},
#endif
#ifdef SYS_open // architectures before 2012 have these, too
      {SYS_open, Open, 0, -1, 1},
      {SYS_creat, Create, 0},
      {SYS_stat, Look, 0},
      {SYS_lstat, LookAtLink, 0},
      {SYS_access, Look, 0},
      {SYS_readlink, LookAtLink, 0},
      {SYS_getdents, List},
      {SYS_rename, Rename, 0, -1, -1, 1, -1},
      {SYS_unlink, Remove, 0},
      {SYS_rmdir, Remove, 0},
      {SYS_mkdir, Make, 0},
      {SYS_symlink, Make, 1},
      {SYS_mknod, Make, 0},
      {SYS_link, Link, 0, -1, -1, 1, -1},
      {SYS_chmod, Alter, 0},
      {SYS_chown, Alter, 0},
      {SYS_lchown, Alter, 0},
      {SYS_utime, Alter, 0},
      {SYS_utimes, Alter, 0},
      {SYS_futimesat, Alter, 1, 0},
#endif
      {SYS_io_uring_setup, Hide, -1, -1, -1, -1, -1, kUring},
      {SYS_open_by_handle_at, Hide, -1, -1, -1, -1, -1, kHandle},
      {SYS_mount, Hide, -1, -1, -1, -1, -1, kMounts},
      {SYS_umount2, Hide, -1, -1, -1, -1, -1, kMounts},
      {SYS_move_mount, Hide, -1, -1, -1, -1, -1, kMounts},
      {SYS_open_tree, Hide, -1, -1, -1, -1, -1, kMounts},
      {SYS_pivot_root, Hide, -1, -1, -1, -1, -1, kMounts},
      {SYS_chroot, Hide, -1, -1, -1, -1, -1, kMounts},
      {SYS_setns, Hide, -1, -1, -1, -1, -1, kMounts},
  };
  llvm::sort(calls, [](const FileCall &a, const FileCall &b) { return a.number < b.number; });
  return calls;
}

} // namespace

llvm::ArrayRef<FileCall> fileCalls() {
  static const std::vector<FileCall> calls = sortedCalls();
  return calls;
}

const FileCall *fileCall(long number) {
  llvm::ArrayRef<FileCall> calls = fileCalls();
  const FileCall *found = llvm::lower_bound(
      calls, number, [](const FileCall &call, long wanted) { return call.number < wanted; });
  return found != calls.end() && found->number == number ? found : nullptr;
}

} // namespace retest
