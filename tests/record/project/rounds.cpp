#include "rounds.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

static void left() {
  std::ifstream("data.txt").get();
  if (std::getenv("HABITS_CRASH"))
    std::abort();
}
static void right() {}

void turns() {
  const char *directory = std::getenv("HABITS_TURNS");
  if (!directory)
    return;
  std::string mark = std::string(directory) + "/mark";
  if (std::filesystem::remove(mark)) {
    right();
  } else {
    std::ofstream(mark).flush();
    left();
  }
}

static void metOther() {}

void meet(const char *name, const char *other, int seconds) {
  const char *directory = std::getenv("HABITS_MEETING");
  if (!directory)
    return;
  std::filesystem::path mine = std::filesystem::path(directory) / name;
  std::ofstream(mine).flush();
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  do {
    if (std::filesystem::exists(std::filesystem::path(directory) / other)) {
      metOther();
      return; // and leave the mark for the other
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  } while (std::chrono::steady_clock::now() < end);
  std::filesystem::remove(mine);
}

int patience() {
  const char *seconds = std::getenv("HABITS_PATIENCE");
  return seconds ? std::atoi(seconds) : 0;
}
