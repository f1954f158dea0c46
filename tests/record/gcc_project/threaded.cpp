// Habits of programs with threads.
#include "habits.h"

#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int inSecond() { return 5; }

/// The first thread ends before the others, and stays to be seen.
static void endFirst() {
  std::thread([] {
    usleep(10'000);
    std::exit(inSecond() == 0);
  }).detach();
  pthread_exit(nullptr);
}

static int call(void *library, const char *name) {
  return reinterpret_cast<int (*)()>(dlsym(library, name))();
}

static int inOrphan() { return versioned(1); }

/// In a child of a process that had a thread.
static void forkAfterThread(const std::string &habit, const char *plugin) {
  std::thread([] {}).join();
  if (fork() == 0) {
    inOrphan();
    if (habit == "loadsOther")
      dlclose(dlopen("libresolv.so.2", RTLD_NOW));
    if (habit == "loads" || habit == "closes") {
      void *library = dlopen(plugin, RTLD_NOW);
      call(library, "inChildsPlugin");
      if (habit == "closes")
        dlclose(library);
    }
    _exit(0);
  }
  wait(nullptr);
}

int main(int, char **arguments) {
  std::string habit = arguments[1];
  if (habit == "second")
    endFirst();
  forkAfterThread(habit, arguments[2]);
  return call(dlopen(arguments[2], RTLD_NOW), "inPlugin") == 0;
}
