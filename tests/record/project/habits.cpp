#include "habits.h"

#include "shared.h"

#include <cstdio>
#include <cstdlib>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int buildOnce() { return 42; }

int lazy() {
  static int value = buildOnce();
  return value;
}

static void work(int &result) { result = 7; }

int inThread() {
  int result = 0;
  std::thread(work, std::ref(result)).join();
  return result;
}

int inShared() { return answer(); }

void dies() {
  std::fputs("goodbye\n", stderr);
  std::abort();
}

int forSuite() { return 1; }

int forProgram() { return 2; }

int untouched() { return 3; }

int inChild(const char *program, const char *argument) {
  return std::system((std::string(program) + " " + argument).c_str());
}

int inSpawned(const char *program, const char *argument) {
  char *arguments[] = {const_cast<char *>(program), const_cast<char *>(argument), nullptr};
  pid_t child = 0;
  int status = -1;
  if (posix_spawn(&child, program, nullptr, nullptr, arguments, environ) == 0)
    waitpid(child, &status, 0);
  return status;
}

int readFile(const char *path) {
  std::FILE *file = std::fopen(path, "r");
  if (!file)
    return -1;
  std::fclose(file);
  return 0;
}

int chosen(bool side) {
  if (side)
    return 1; // if so
  return 2;   // if not
}
