// Ends in the way that it is told to.
#include <atomic>
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <exception>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static sigjmp_buf place;

static void killed() { raise(SIGKILL); }

static void plugin(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (!library)
    _exit(9);
  reinterpret_cast<int (*)()>(dlsym(library, "inPlugin"))();
  dlclose(library);
}

/// Goes on when the thread sleeps in a system call.
static void awaitRest(void (*act)()) {
  std::atomic<pid_t> thread = 0;
  std::thread([&thread, act] {
    thread = gettid();
    act();
  }).detach();
  char state = 0;
  while (state != 'S') {
    std::ifstream stat("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string number, name;
    stat >> number >> name >> state; // no blanks in our name
  }
}

int main(int, char **arguments) {
  std::string how = arguments[1];
  if (how == "exit")
    std::exit(0);
  if (how == "quick_exit")
    std::quick_exit(0);
  if (how == "_exit")
    _exit(0);
  if (how == "abort")
    std::abort();
  if (how == "terminate")
    std::terminate();
  if (how == "throw")
    throw 1;
  if (how == "assert")
    assert(how.empty());
  if (how == "exec")
    execl("/bin/true", "true", nullptr);
  if (how == "exec, in vain") {
    execl("/nowhere", "nowhere", nullptr);
    killed();
  }
  if (how == "killed")
    killed();
  if (how == "crash")
    *static_cast<volatile int *>(nullptr) = 1;
  if (how == "handler comes back") {
    signal(SIGUSR1, [](int) {});
    raise(SIGUSR1);
  }
  if (how == "handler exits") {
    signal(SIGUSR1, [](int) { _exit(0); });
    raise(SIGUSR1);
  }
  if (how == "handler exits, open") {
    struct sigaction action = {};
    action.sa_handler = [](int) { _exit(0); };
    action.sa_flags = SA_NODEFER;
    sigaction(SIGUSR1, &action, nullptr);
    raise(SIGUSR1);
  }
  if (how == "handler exits, reset") {
    struct sigaction action = {};
    action.sa_handler = [](int) { _exit(0); };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGUSR1, &action, nullptr);
    raise(SIGUSR1);
  }
  if (how == "handler resets itself and exits") {
    signal(SIGUSR1, [](int) {
      signal(SIGUSR1, SIG_DFL);
      _exit(0);
    });
    raise(SIGUSR1);
  }
  if (how == "handler jumps" && sigsetjmp(place, 1) == 0) {
    signal(SIGUSR1, [](int) { siglongjmp(place, 1); });
    raise(SIGUSR1);
  }
  if (how == "jump" && setjmp(place) == 0)
    longjmp(place, 1);
  if (how == "thread ended")
    std::thread([] {}).join();
  if (how == "thread is busy") {
    std::thread([] {
      for (volatile bool isBusy = true; isBusy;)
        ;
    }).detach();
  }
  if (how == "threads take turns") { // each sleeps half of the time, but never both
    static int pipes[2][2];
    if (pipe(pipes[0]) != 0 || pipe(pipes[1]) != 0)
      return 1;
    for (int self : {0, 1})
      std::thread([self] {
        for (char byte; read(pipes[self][0], &byte, 1) == 1;)
          if (write(pipes[1 - self][1], &byte, 1) != 1)
            return;
      }).detach();
    if (write(pipes[0][1], "", 1) != 1)
      return 1;
    usleep(1000);
  }
  if (how == "thread waits")
    awaitRest([] { pause(); });
  if (how == "thread waits in a handler") {
    signal(SIGUSR1, [](int) { pause(); });
    awaitRest([] { raise(SIGUSR1); });
  }
  if (how == "thread of a timer") {
    static std::atomic<bool> hasFired = false;
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = [](sigval) { hasFired = true; };
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    itimerspec soon = {};
    soon.it_value.tv_nsec = 1;
    timer_settime(timer, 0, &soon, nullptr);
    while (!hasFired)
      usleep(1000);
  }
  if (how == "child ends" || how == "child killed") {
    if (fork() == 0) {
      if (how == "child killed")
        killed();
      _exit(0);
    }
    wait(nullptr);
  }
  if (how == "child of vfork ends") {
    if (vfork() == 0)
      _exit(0);
    wait(nullptr);
    killed();
  }
  if (how == "plugin")
    plugin(arguments[2]);
  if (how == "plugin, killed") {
    plugin(arguments[2]);
    killed();
  }
  if (how == "plugin twice") {
    plugin(arguments[2]);
    plugin(arguments[2]);
  }
  if (how == "plugin, child") {
    plugin(arguments[2]);
    if (fork() == 0)
      std::exit(0);
    wait(nullptr);
  }
}
