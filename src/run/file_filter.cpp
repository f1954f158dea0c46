#include "run/file_filter.h"

#include "run/file_calls.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace retest {
namespace {

/// Numbers of x32 calls, on x86-64.
constexpr unsigned kOtherNumbers = 0x40000000;

/// With it only a deadly signal interrupts a call once we have it: a timer that fires every
/// millisecond would make it begin again and again. Linux 5.19; not in older headers.
constexpr unsigned kWaitKillable = 1u << 5;

using Filter = std::vector<sock_filter>;

sock_filter jump(unsigned test, unsigned value, std::size_t ifTrue, std::size_t ifFalse) {
  return BPF_JUMP(BPF_JMP | test | BPF_K, value, static_cast<unsigned char>(ifTrue),
                  static_cast<unsigned char>(ifFalse));
}

/// A binary search: the kernel runs the filter for every number when it is installed.
void addSearch(llvm::ArrayRef<FileCall> calls, Filter &filter) {
  if (calls.size() <= 2) {
    for (const FileCall &call : calls) {
      filter.push_back(jump(BPF_JEQ, static_cast<unsigned>(call.number), 0, 1));
      filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
    }
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    return;
  }
  std::size_t middle = calls.size() / 2;
  Filter lower;
  addSearch(calls.take_front(middle), lower);
  filter.push_back(jump(BPF_JGE, static_cast<unsigned>(calls[middle].number), lower.size(), 0));
  filter.insert(filter.end(), lower.begin(), lower.end());
  addSearch(calls.drop_front(middle), filter);
}

/// `fstat` of the standard streams, which nearly every test does. A name may stand there instead of
/// none, which the filter cannot see, but nobody looks for names from a stream.
Filter streamsAllowed() {
  auto load = [](std::size_t offset) -> sock_filter {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
  };
  return {
      jump(BPF_JEQ, SYS_newfstatat, 0, 7),          load(offsetof(seccomp_data, args[0])),
      jump(BPF_JEQ, STDOUT_FILENO, 1, 0),           jump(BPF_JEQ, STDERR_FILENO, 0, 3),
      load(offsetof(seccomp_data, args[3])),        jump(BPF_JEQ, AT_EMPTY_PATH, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), load(offsetof(seccomp_data, nr)),
  };
}

/// Calls of another architecture (32-bit programs) have other numbers: each is reported.
Filter makeFilter() {
  Filter filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      jump(BPF_JEQ, kFilterArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      jump(BPF_JGE, kOtherNumbers, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
  };
  llvm::append_range(filter, streamsAllowed());
  addSearch(fileCalls(), filter);
  return filter;
}

} // namespace

llvm::Expected<int> installFileFilter() {
  static const Filter filter = makeFilter();
  sock_fprog program{static_cast<unsigned short>(filter.size()),
                     const_cast<sock_filter *>(filter.data())};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return error("cannot watch the files of tests: {}", std::strerror(errno));
  long listener = -1;
  for (unsigned extra : {kWaitKillable, 0u}) {
    // A test is the user's own code: without the flag Linux before 5.16 makes it slower, by
    // guarding it against speculation.
    listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                       SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW | extra,
                       &program);
    if (listener >= 0 || errno != EINVAL)
      break;
  }
  if (listener < 0 && errno == EBUSY)
    return error("cannot watch the files of tests: this program is being watched itself");
  if (listener < 0)
    return error("cannot watch the files of tests, seccomp says: {}", std::strerror(errno));
  return static_cast<int>(listener);
}

} // namespace retest
