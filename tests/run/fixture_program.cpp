// A program with "tests" that a fork server runs: each argument names one. Built with counters.
#include "sibling.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iterator>
#include <link.h>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>

namespace {

int initialisations = 0;
struct BeforeMain {
  BeforeMain() {
    ++initialisations;
    if (std::getenv("FIXTURE_OPENS"))
      std::fopen("/dev/null", "r");
    if (std::getenv("FIXTURE_STARTS_THREAD"))
      std::thread([] { sleep(600); }).detach();
    if (std::getenv("FIXTURE_SETS_ALARM"))
      alarm(600);
    if (std::getenv("FIXTURE_STARTS_CHILD") && fork() == 0) {
      sleep(600);
      _exit(0);
    }
    if (std::getenv("FIXTURE_STARTS_DAEMON")) {
      pid_t between = fork();
      if (between == 0) {
        if (fork() == 0)
          sleep(600);
        _exit(0);
      }
      waitpid(between, nullptr, 0);
    }
    if (std::getenv("FIXTURE_CLONES") && syscall(SYS_clone, 0, nullptr, nullptr, nullptr, 0) == 0)
      for (;;)
        pause();
    if (std::getenv("FIXTURE_RUNS_PROGRAM") && std::system("/bin/true") != 0)
      std::abort();
    if (std::getenv("FIXTURE_SHARES_MEMORY"))
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (std::getenv("FIXTURE_MAKES_TIMER")) {
      sigevent nobody{};
      nobody.sigev_notify = SIGEV_NONE;
      timer_t timer;
      timer_create(CLOCK_MONOTONIC, &nobody, &timer);
    }
  }
} beforeMain;

int lazy() {
  static int value = [] { return ++initialisations; }();
  return value;
}

void lazyOne() { std::printf("lazy %d\n", lazy()); }
void lazyTwo() { std::printf("lazy %d\n", lazy()); }
void fails() { std::exit(7); }
void forks() {
  int before = initialisations;
  pid_t child = fork();
  if (child == 0) {
    initialisations = 99;
    std::abort(); // as the child of a death test does
  }
  waitpid(child, nullptr, 0);
  std::printf("%s\n", initialisations == before ? "own memory" : "shared memory");
}
void leavesAtOnce() { _exit(3); }
void crashes() { raise(SIGSEGV); }
void hangs() {
  for (volatile int i = 0;; i = i + 1)
    ;
}
void startsThread() {
  std::thread([] { std::puts("thread"); }).join();
}
/// One thread at a time, each of which starts the next.
void relay() { std::thread(relay).detach(); }
void leavesRelay() {
  std::thread(relay).detach();
  usleep(1000);
}
void leavesSleeper() {
  static std::atomic<pid_t> sleeper = 0;
  std::thread([] {
    sleeper = gettid();
    sleep(600);
  }).detach();
  for (bool sleeps = false; !sleeps;) {
    std::ifstream file("/proc/self/task/" + std::to_string(sleeper) + "/stat");
    std::string status;
    std::getline(file, status);
    sleeps = status.find(") S ") != std::string::npos;
  }
}
void firstThreadEnds() {
  std::thread([] {
    usleep(10'000);
    std::exit(0);
  }).detach();
  pthread_exit(nullptr);
}
/// Children that end while a thread, which they do not have, holds the loader's lock.
void forksUnderLock() {
  std::thread([] {
    for (;;) {
      auto hold = [](dl_phdr_info *, std::size_t, void *) { return usleep(1000) + 1; };
      dl_iterate_phdr(hold, nullptr);
      usleep(10); // or nobody else would ever have it
    }
  }).detach();
  for (int i = 0; i < 20; ++i)
    if (fork() == 0)
      _exit(0);
  while (wait(nullptr) > 0)
    ;
  std::puts("all have ended");
}
void loadsLibrary() {
  void *library = dlopen(std::getenv("FIXTURE_LIBRARY"), RTLD_NOW);
  auto answer = reinterpret_cast<int (*)()>(library ? dlsym(library, "answer") : nullptr);
  std::printf("answer %d\n", answer ? answer() : -1);
}
void startsProgram(const char *program) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl(program, program, "lazyOne", nullptr);
    _exit(9);
  }
  waitpid(child, nullptr, 0);
}
void closesAll() {
  std::fflush(stdout);
  for (int file = 0; file < 256; ++file)
    close(file);
}
void leavesDaemon() {
  int ready[2];
  char byte = 0;
  if (pipe(ready) != 0)
    return;
  if (fork() == 0) {
    if (write(ready[1], "x", 1) == 1)
      sleep(600);
    _exit(0);
  }
  if (read(ready[0], &byte, 1) != 1) // it keeps its counters by now
    std::puts("no daemon");
}
/// More than is copied before a test begins.
void writesMuch() {
  static char much[4 << 20];
  bool isPristine = std::count(std::begin(much), std::end(much), 0) == sizeof much;
  std::memset(much, 1, sizeof much);
  std::puts(isPristine ? "pristine" : "used");
}
/// As a library of another version would: with fewer words than are known today, or others.
void greets(unsigned first) {
  const char *socket = std::getenv("RETEST_SERVER_SOCKET");
  const unsigned words[2] = {first, 1};
  if (socket && write(std::atoi(socket), words, sizeof words) == sizeof words)
    sleep(600);
}
void stopsSibling() { kill(retest::awaitSibling(), SIGSTOP); }

} // namespace

int main(int argc, char **argv) {
  if (const char *greeting = std::getenv("FIXTURE_GREETING"))
    greets(static_cast<unsigned>(std::atoi(greeting)));
  for (int i = 1; i < argc; ++i) {
    std::string test = argv[i];
    if (test == "lazyOne")
      lazyOne();
    else if (test == "lazyTwo")
      lazyTwo();
    else if (test == "fails")
      fails();
    else if (test == "forks")
      forks();
    else if (test == "leavesAtOnce")
      leavesAtOnce();
    else if (test == "crashes")
      crashes();
    else if (test == "hangs")
      hangs();
    else if (test == "startsThread")
      startsThread();
    else if (test == "leavesRelay")
      leavesRelay();
    else if (test == "leavesSleeper")
      leavesSleeper();
    else if (test == "firstThreadEnds")
      firstThreadEnds();
    else if (test == "forksUnderLock")
      forksUnderLock();
    else if (test == "loadsLibrary")
      loadsLibrary();
    else if (test == "startsProgram")
      startsProgram(argv[0]);
    else if (test == "closesAll")
      closesAll();
    else if (test == "leavesDaemon")
      leavesDaemon();
    else if (test == "writesMuch")
      writesMuch();
    else if (test == "stopsSibling")
      stopsSibling();
  }
}
