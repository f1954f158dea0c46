#include "run/preload/ends.h"

#include "run/preload/counters.h"
#include "run/preload/proc_numbers.h"
#include "run/preload/warm_pages.h"

#include <alloca.h>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace retest::preload {
namespace {

const char *directory = "";
pid_t process = 0;
/// Some handler runs without its signal being blocked: nobody can tell whether a thread is in it.
bool leavesSignalsOpen = false;
unsigned long long everHandled = 0; ///< signals that have had a handler; the lowest bit is signal 1
bool wasInterrupted = false; ///< a handler was left by a jump: the function under it is half done

template <class Function> Function *next(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

using Jump = void(struct __jmp_buf_tag *, int);
using Action = int(int, const struct sigaction *, struct sigaction *);
using Signal = sighandler_t(int, sighandler_t);

/// What signal handlers may call. Looked up when the library is loaded, as that takes a lock.
struct Real {
  decltype(::execve) *execve = next<decltype(::execve)>("execve");
  decltype(::execvpe) *execvpe = next<decltype(::execvpe)>("execvpe");
  decltype(::fexecve) *fexecve = next<decltype(::fexecve)>("fexecve");
  void (*abort)() = next<void()>("abort");
  Action *sigaction = next<Action>("sigaction");
  Signal *signal = next<Signal>("signal"), *sysvSignal = next<Signal>("__sysv_signal");
  Jump *longjmp = next<Jump>("longjmp"), *_longjmp = next<Jump>("_longjmp"),
       *longjmpChecked = next<Jump>("__longjmp_chk"), *siglongjmp = next<Jump>("siglongjmp");
};

const Real &real() {
  static const Real functions;
  return functions;
}
[[maybe_unused]] const Real &whenLoaded = real();

bool isHandler(sighandler_t handler) { return handler != SIG_DFL && handler != SIG_IGN; }

bool isHandled(int signal) {
  struct sigaction action;
  return sigaction(signal, nullptr, &action) == 0 && isHandler(action.sa_handler);
}

unsigned long long bitOf(int signal) { return 1ULL << (signal - 1); }

void noteHandler(int signal, sighandler_t handler) {
  if (signal >= 1 && signal < NSIG && isHandler(handler))
    everHandled |= bitOf(signal);
}

/// While a handler runs, its signal is blocked, even if it is not its handler any more; so it may
/// also be by the program, which does no harm.
bool mayBeInHandler() {
  sigset_t blocked;
  if (leavesSignalsOpen || pthread_sigmask(SIG_SETMASK, nullptr, &blocked) != 0)
    return true;
  for (int signal = 1; signal < NSIG; ++signal)
    if (sigismember(&blocked, signal) == 1 && ((everHandled & bitOf(signal)) || isHandled(signal)))
      return true;
  return false;
}

enum class Rest {
  Busy,
  Asleep, ///< in a system call, and not in one of a signal handler
  Gone,
};

/// What one of our threads does. `switches`: how often it was put to sleep or to work so far.
Rest restOf(int thread, unsigned long long &switches) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%d/status", thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return errno == ENOENT ? Rest::Gone : Rest::Busy;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0)
    return size < 0 && errno == ESRCH ? Rest::Gone : Rest::Busy;
  text[size] = 0;
  auto valueOf = [&](const char *field) -> const char * { // each begins a line
    const char *found = strstr(text, field);
    return found ? found + strlen(field) : nullptr;
  };
  const char *state = valueOf("\nState:\t"), *blocked = valueOf("\nSigBlk:\t"),
             *handled = valueOf("\nSigCgt:\t"), *slept = valueOf("\nvoluntary_ctxt_switches:\t"),
             *stopped = valueOf("\nnonvoluntary_ctxt_switches:\t");
  if (state && (*state == 'Z' || *state == 'X'))
    return Rest::Gone;
  if (!state || *state != 'S' || !blocked || !handled || !slept || !stopped || leavesSignalsOpen ||
      (strtoull(blocked, nullptr, 16) & (strtoull(handled, nullptr, 16) | everHandled)) != 0)
    return Rest::Busy;
  switches = strtoull(slept, nullptr, 10) + strtoull(stopped, nullptr, 10);
  return Rest::Asleep;
}

/// A look at all other threads.
struct OtherThreads {
  bool areAsleep = true;
  unsigned count = 0; ///< that sleep
  /// That were there a moment ago. The first thread of a process stays there when it has ended.
  unsigned gone = 0;
  /// Of all these threads, and of how often each woke up so far.
  unsigned long long sum = 0;

  bool operator==(const OtherThreads &) const = default;
};

OtherThreads lookAtOthers(pid_t self) {
  OtherThreads others;
  bool isWhole = forEachNumber("/proc/self/task", [&](int thread, int) {
    if (thread == self || !others.areAsleep)
      return;
    unsigned long long switches = 0;
    Rest rest = restOf(thread, switches);
    others.areAsleep = rest != Rest::Busy;
    ++(rest == Rest::Gone ? others.gone : others.count);
    others.sum += static_cast<unsigned long long>(thread) * 0x9e3779b97f4a7c15 + switches;
  });
  others.areAsleep &= isWhole && countThreads() == 1ul + others.count + others.gone;
  return others;
}

/// Whether all that other threads have counted is in memory. Clang's counters are, whenever a
/// function calls another that it knows nothing of; GCC's are not to be used of a function that is
/// half done.
///
/// Never inlined: who ends in a signal handler, or is about to become another program, may have two
/// pages of stack, and does not come here.
///
/// A look takes time, in which one thread may wake another, or start another and end. So it takes
/// two of them between which nobody woke up or came: threads that are at work now and then do not
/// pass for sleeping ones.
__attribute__((noinline)) bool areOthersAtRest(bool hasGcc) {
  pid_t self = static_cast<pid_t>(syscall(SYS_gettid));
  OtherThreads before = lookAtOthers(self);
  for (int attempt = 0; attempt < 20; ++attempt) { // who was joined may still be on its way out
    if (before == OtherThreads{})
      return true; // there are none
    usleep(100);
    OtherThreads now = lookAtOthers(self);
    if (now.areAsleep && now == before && (!hasGcc || now.count == 0))
      return true;
    before = now;
  }
  return false;
}

/// With Clang we are told of each thread; GCC needs to know of those as well that start unseen.
bool areCountsWhole() {
  bool hasGcc = hasGccModules();
  return (!hadThreads() && !hasGcc) || areOthersAtRest(hasGcc);
}

/// What was loaded before a fork is mapped then, and what Clang has built says so itself when it is
/// loaded. Where nobody may wait for the loader, what GCC has built can only be found out. Never
/// inlined, like areOthersAtRest.
__attribute__((noinline)) bool areModulesKnown() {
  return !isLockUncertain() || areAllMapped(directory);
}

bool isWatching() { return *directory && process == getpid(); }

/// Around what replaces the program, if it works.
template <class Act> int whileEnded(Act exec) {
  noteEnd();
  int result = exec();
  if (isWatching())
    noteEnded(false);
  return result;
}

[[noreturn]] void jump(Jump *how, struct __jmp_buf_tag *target, int value) {
  wasInterrupted |= isWatching() && mayBeInHandler();
  how(target, value);
  __builtin_unreachable();
}

} // namespace

void watchEnds(const char *counterDirectory) {
  directory = counterDirectory;
  // Without a library of their own, or they would run when ours is left, before the others are.
  extern int atLastExit(void (*)(void *), void *, void *) __asm__("__cxa_atexit");
  atLastExit(
      [](void *) {
        noteWrittenPages();
        noteEnd();
      },
      nullptr, nullptr);
  at_quick_exit(noteEnd);
}

void noteProcess() { process = getpid(); }

void mapLoadedCounters() {
  if (isWatching() && !isLockUncertain())
    mapCounters(directory);
}

void noteEnd() {
  mapLoadedCounters();
  if (!isWatching())
    return;
  if (!__libc_single_threaded) // the C library starts threads of its own (SIGEV_THREAD)
    noteThreads();
  if (!wasInterrupted && !mayBeInHandler() && areCountsWhole() && areModulesKnown())
    noteEnded(true);
}

} // namespace retest::preload

using namespace retest::preload;

#define RETEST_EXPORT __attribute__((visibility("default")))

extern "C" {

RETEST_EXPORT void _exit(int status) {
  noteEnd();
  syscall(SYS_exit_group, status);
  __builtin_unreachable();
}

RETEST_EXPORT void _Exit(int status) { _exit(status); }

RETEST_EXPORT void abort() {
  if (!isHandled(SIGABRT))
    noteEnd();
  real().abort();
  __builtin_unreachable();
}

RETEST_EXPORT void __assert_fail(const char *assertion, const char *file, unsigned line,
                                 const char *function) {
  if (!isHandled(SIGABRT))
    noteEnd();
  next<void(const char *, const char *, unsigned, const char *)>("__assert_fail")(assertion, file,
                                                                                  line, function);
  __builtin_unreachable();
}

RETEST_EXPORT int execve(const char *path, char *const arguments[], char *const environment[]) {
  return whileEnded([&] { return real().execve(path, arguments, environment); });
}

RETEST_EXPORT int execv(const char *path, char *const arguments[]) {
  return execve(path, arguments, environ);
}

RETEST_EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  return whileEnded([&] { return real().execvpe(file, arguments, environment); });
}

RETEST_EXPORT int execvp(const char *file, char *const arguments[]) {
  return execvpe(file, arguments, environ);
}

RETEST_EXPORT int fexecve(int file, char *const arguments[], char *const environment[]) {
  return whileEnded([&] { return real().fexecve(file, arguments, environment); });
}

// The words of a list, as a vector on the stack: a child of `vfork` must not use the heap.
#define RETEST_VECTOR_OF(first, vector)                                                            \
  va_list list;                                                                                    \
  std::size_t count = 1;                                                                           \
  va_start(list, first);                                                                           \
  while (va_arg(list, char *))                                                                     \
    ++count;                                                                                       \
  va_end(list);                                                                                    \
  auto **vector = static_cast<char **>(alloca((count + 1) * sizeof(char *)));                      \
  vector[0] = const_cast<char *>(first);                                                           \
  va_start(list, first);                                                                           \
  for (std::size_t i = 1; i <= count; ++i)                                                         \
  vector[i] = va_arg(list, char *)

RETEST_EXPORT int execl(const char *path, const char *first, ...) {
  RETEST_VECTOR_OF(first, arguments);
  va_end(list);
  return execv(path, arguments);
}

RETEST_EXPORT int execlp(const char *file, const char *first, ...) {
  RETEST_VECTOR_OF(first, arguments);
  va_end(list);
  return execvp(file, arguments);
}

RETEST_EXPORT int execle(const char *path, const char *first, ...) {
  RETEST_VECTOR_OF(first, arguments);
  char **environment = va_arg(list, char **);
  va_end(list);
  return execve(path, arguments, environment);
}

RETEST_EXPORT int dlclose(void *library) {
  mapLoadedCounters();
  if (isWatching())
    areModulesKnown(); // before it is gone
  int result = next<decltype(dlclose)>("dlclose")(library);
  forgetUnloaded(!wasInterrupted);
  return result;
}

RETEST_EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  if (action)
    noteHandler(signal, action->sa_handler);
  leavesSignalsOpen |= action && (action->sa_flags & SA_NODEFER) && isHandler(action->sa_handler);
  return real().sigaction(signal, action, before);
}

RETEST_EXPORT sighandler_t signal(int signal, sighandler_t handler) {
  noteHandler(signal, handler);
  return real().signal(signal, handler);
}

RETEST_EXPORT sighandler_t __sysv_signal(int signal, sighandler_t handler) {
  leavesSignalsOpen |= isHandler(handler);
  return real().sysvSignal(signal, handler);
}

RETEST_EXPORT void longjmp(jmp_buf target, int value) { jump(real().longjmp, target, value); }
RETEST_EXPORT void _longjmp(jmp_buf target, int value) { jump(real()._longjmp, target, value); }
RETEST_EXPORT void __longjmp_chk(jmp_buf target, int value) {
  jump(real().longjmpChecked, target, value);
}
RETEST_EXPORT void siglongjmp(sigjmp_buf target, int value) {
  jump(real().siglongjmp, target, value);
}
}
