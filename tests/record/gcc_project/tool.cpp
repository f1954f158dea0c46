#include "habits.h"

#include <csignal>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

static int side(bool isLeft) {
  if (isLeft)
    return 1;
  return 2;
}

static int inChild(bool isKilled) {
  if (fork() == 0) {
    side(isKilled);
    if (isKilled)
      raise(SIGKILL);
    _exit(0);
  }
  wait(nullptr);
  return 0;
}

int main(int count, char **arguments) {
  std::string habit = arguments[1];
  if (habit == "inlined")
    return inlined(1) == 0;
  if (habit == "optimised")
    return optimised(1) == 0;
  if (habit == "folded")
    return folded() == 0;
  if (habit == "computed")
    return computed(count) == 0;
  if (habit == "versioned")
    return versioned(1) == 0;
  if (habit == "ends" || habit == "kills")
    return inChild(habit == "kills");
  if (habit == "plugin") {
    void *library = dlopen(arguments[2], RTLD_NOW);
    return reinterpret_cast<int (*)()>(dlsym(library, "inPlugin"))() == 0;
  }
  return 0;
}
