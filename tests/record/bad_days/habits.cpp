#include "habits.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

int good(int value) {
  if (value > 1)
    return 2;
  return 1;
}

static std::string counters() {
  const char *directory = std::getenv("RETEST_COUNTER_DIRECTORY");
  return directory ? directory : "/nowhere";
}

static void put(const std::string &path, const char *text) {
  if (std::FILE *file = std::fopen(path.c_str(), "w")) {
    std::fputs(text, file);
    std::fclose(file);
  }
}

/// Of a copy: the process itself needs its pages.
static void cut(const std::string &path) {
  std::string command =
      "head -c 5000 '" + path + "' > '" + path + "x' && mv '" + path + "x' '" + path + "'";
  if (std::system(command.c_str()) != 0)
    std::abort();
}

template <class Act> static void forEachFile(const std::string &directory, Act act) {
  DIR *entries = opendir(directory.c_str());
  while (const dirent *entry = entries ? readdir(entries) : nullptr)
    if (entry->d_name[0] != '.')
      act(directory + "/" + entry->d_name);
  if (entries)
    closedir(entries);
}

/// It runs in a session of its own before we end; until then its parents are known.
static void startDaemon() {
  int ready[2];
  if (pipe(ready) != 0)
    return;
  char byte = 0;
  pid_t between = fork();
  if (between == 0) {
    setsid();
    if (fork() == 0) {
      if (write(ready[1], &byte, 1) == 1)
        sleep(600);
      _exit(0);
    }
    _exit(read(ready[0], &byte, 1) == 1 ? 0 : 1);
  }
  waitpid(between, nullptr, 0);
}

/// Until a file is there, if a variable names one: so a test of ours knows that tests run.
static void waitForFile() {
  const char *file = std::getenv("BAD_DAYS_AWAITED");
  if (!file) {
    usleep(100'000);
    return;
  }
  put(file + std::string(".running"), "");
  while (access(file, F_OK) != 0)
    usleep(1000);
}

bool doOdd(const std::string &way) {
  if (way == "removesCounters") {
    forEachFile(counters(), [](const std::string &path) { unlink(path.c_str()); });
    rmdir(counters().c_str());
  } else if (way == "dropsForeign") {
    put(counters() + "/1.counters", "foreign");
  } else if (way == "dropsPipe") {
    mkfifo((counters() + "/1.counters").c_str(), 0666);
  } else if (way == "cutsCounters") {
    forEachFile(counters(), [](const std::string &path) { cut(path); });
  } else if (way == "closesAll") {
    for (int file = 0; file < 256; ++file)
      close(file);
  } else if (way == "changesDirectory") {
    if (chdir("/") != 0)
      return false;
  } else if (way == "startsDaemon") {
    startDaemon();
  } else if (way == "endsParent") {
    kill(getppid(), SIGKILL);
    sleep(600);
  } else if (way == "removesData") {
    unlink("data");
    put("data", "new");
    unlink("data");
  } else if (way == "wantsTerminal") {
    return open("/dev/tty", O_RDWR) >= 0;
  } else if (way == "printsMuch") {
    std::string line(1 << 20, 'x');
    for (int i = 0; i < 300; ++i)
      std::fwrite(line.data(), 1, line.size(), stdout);
    std::puts("");
  } else if (way == "stops") {
    raise(SIGSTOP);
  } else if (way == "hangs") {
    for (;;)
      sleep(600);
  } else if (way == "isKilled") {
    raise(SIGKILL);
  } else if (way == "fillsMemory") {
    for (;;)
      std::memset(new char[1 << 24], 1, 1 << 24);
  } else if (way == "waits") {
    waitForFile();
  } else {
    return false;
  }
  return true;
}
