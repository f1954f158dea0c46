// Where the library comes into a program: when it is loaded, when a module with counters is
// initialised, when the program forks, and when its `main` is about to run.
#include "run/preload/counters.h"
#include "run/preload/ends.h"
#include "run/preload/protocol.h"
#include "run/preload/server.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/single_threaded.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

namespace {

using namespace retest::preload;

char directory[4096]; ///< empty: there is nothing to do
bool isServerForking = false;
bool areEdgesPrivate = false;
bool hadThreadsAtFork = false;
Main realMain = nullptr;
int serverSocket = -1;   ///< if this program is to be a server
pid_t serverProcess = 0; ///< and not a child that it has before `main`

/// The directory may be another one in each child of a server.
void readDirectory() {
  const char *value = nullptr;
  for (char **entry = environ; entry && *entry; ++entry)
    if (strncmp(*entry, kDirectoryVariable, sizeof kDirectoryVariable - 1) == 0 &&
        (*entry)[sizeof kDirectoryVariable - 1] == '=')
      value = *entry + sizeof kDirectoryVariable;
  directory[0] = 0;
  if (value && strlen(value) < sizeof directory)
    strcpy(directory, value);
}

void beforeFork() {
  mapLoadedCounters();
  hadThreadsAtFork = !__libc_single_threaded;
  areEdgesPrivate = directory[0] && !isServerForking && !hadThreadsAtFork;
  if (areEdgesPrivate)
    unshareEdges();
}

void afterForkInParent() {
  if (areEdgesPrivate)
    shareEdges();
  areEdgesPrivate = false;
}

void afterForkInChild() {
  areEdgesPrivate = false;
  if (hadThreadsAtFork)
    noteUncertainLock();
  noteProcess();
  if (directory[0] && !isServerForking)
    remapCounters(directory);
}

/// Whoever is started before `main` is no server.
void takeSocket() {
  const char *socket = getenv(kServerVariable);
  if (!socket)
    return;
  serverSocket = atoi(socket);
  serverProcess = getpid();
  fcntl(serverSocket, F_SETFD, FD_CLOEXEC);
  unsetenv(kServerVariable);
  adoptOrphans();
}

__attribute__((constructor)) void begin() {
  readDirectory();
  if (!directory[0])
    return;
  noteOpenFiles();
  noteProcess();
  takeSocket();
  mapCounters(directory);
  pthread_atfork(beforeFork, afterForkInParent, afterForkInChild);
}

int replacedMain(int argc, char **argv, char **environment) {
  if (serverSocket < 0 || serverProcess != getpid())
    return realMain(argc, argv, environment);
  isServerForking = true;
  noteEnd(); // nothing of the program runs in the server any more
  serve(serverSocket, [](int count, char **arguments, char **variables) {
    isServerForking = false;
    readDirectory();
    return realMain(count, arguments, variables);
  });
}

} // namespace

extern "C" {

/// Clang's runtime asks for its file name when a module is initialised, one that is loaded later
/// (dlopen) as well: then its counters are there.
__attribute__((visibility("default"))) char *getenv(const char *name) {
  static const auto real = reinterpret_cast<char *(*)(const char *)>(dlsym(RTLD_NEXT, "getenv"));
  if (directory[0] && strcmp(name, "LLVM_PROFILE_FILE") == 0)
    mapCounters(directory);
  return real(name);
}

/// A profile that is not to be written takes no system calls, and no look at the counters.
__attribute__((visibility("default"))) FILE *fopen(const char *path, const char *mode) {
  static const auto real = reinterpret_cast<decltype(&fopen)>(dlsym(RTLD_NEXT, "fopen"));
  const char *volatile given = path; // null is an error of its own, not for us to fall over
  if (!directory[0] || !given || strcmp(path, kNoProfile) != 0)
    return real(path, mode);
  cookie_io_functions_t nothing{};
  nothing.write = [](void *, const char *, std::size_t size) { return static_cast<ssize_t>(size); };
  nothing.seek = [](void *, off64_t *, int) { return 0; };
  return fopencookie(nullptr, mode, nothing);
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*start)(void *), void *argument) {
  static const auto real =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  noteThreads();
  return real(thread, attributes, start, argument);
}

__attribute__((visibility("default"))) int thrd_create(thrd_t *thread, thrd_start_t start,
                                                       void *argument) {
  static const auto real =
      reinterpret_cast<decltype(&thrd_create)>(dlsym(RTLD_NEXT, "thrd_create"));
  noteThreads();
  return real(thread, start, argument);
}

__attribute__((visibility("default"))) int timer_create(clockid_t clock, sigevent *event,
                                                        timer_t *timer) {
  static const auto real =
      reinterpret_cast<decltype(&timer_create)>(dlsym(RTLD_NEXT, "timer_create"));
  noteTimer();
  if (event && event->sigev_notify == SIGEV_THREAD)
    noteThreads();
  return real(clock, event, timer);
}

__attribute__((visibility("default"))) int __libc_start_main(Main main, int argc, char **argv,
                                                             void (*init)(), void (*fini)(),
                                                             void (*loaderFini)(), void *stackEnd) {
  using Start = int (*)(Main, int, char **, void (*)(), void (*)(), void (*)(), void *);
  realMain = main;
  watchEnds(directory);
  auto real = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(replacedMain, argc, argv, init, fini, loaderFini, stackEnd);
}
}
