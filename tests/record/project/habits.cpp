#include "habits.h"

#include "shared.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

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

int inSetUp() { return 1; }

int untouched() { return 2; }

int inChild(const char *program, const char *argument) {
  return std::system((std::string(program) + " " + argument).c_str());
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
    return 1;
  return 2;
}
