// A program of a user with GoogleTest, with tests that do not behave. Built with counters.
#include "../sibling.h"
#include "answering.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// What does not outlive a fork: a number that a static initialiser has seen.
const pid_t cachedProcess = std::getenv("SUITE_CACHES_PROCESS") ? getpid() : 0;

/// Then nobody is told how its children end.
[[maybe_unused]] const bool ignoresChildren =
    std::getenv("SUITE_IGNORES_CHILDREN") && signal(SIGCHLD, SIG_IGN) != SIG_ERR;

/// What a static initialiser reads; a test writes it.
std::string setting() {
  const char *path = std::getenv("SUITE_SETTING");
  std::string text;
  if (path)
    std::getline(std::ifstream(path), text);
  return text;
}
const std::string settingBeforeMain = setting();
[[maybe_unused]] const bool countsStarts = [] {
  const char *path = std::getenv("SUITE_STARTS");
  int starts = 0;
  if (path && std::ifstream(path) >> starts)
    std::ofstream(path) << starts + 1;
  return path != nullptr;
}();

/// Reads a file, whatever it is, and appends to it.
[[maybe_unused]] const bool growsWithStarts = [] {
  const char *path = std::getenv("SUITE_GROWS");
  if (path && std::ifstream(path).get() != EOF)
    std::ofstream(path, std::ios::app) << "more";
  return path != nullptr;
}();

/// Has a child that cannot keep its counters.
[[maybe_unused]] const bool losesCounters = [] {
  const char *counters = std::getenv("RETEST_COUNTER_DIRECTORY");
  if (!counters || !std::getenv("SUITE_LOSES_COUNTERS"))
    return false;
  std::string elsewhere = std::string(counters) + ".elsewhere";
  rename(counters, elsewhere.c_str());
  if (fork() == 0)
    _exit(0);
  wait(nullptr);
  return rename(elsewhere.c_str(), counters) == 0;
}();

[[maybe_unused]] const bool isFirstStart = [] {
  const char *path = std::getenv("SUITE_FIRST_START");
  if (!path || std::ifstream(path))
    return false;
  std::ofstream(path) << "made";
  return true;
}();

} // namespace

TEST(Setting, aWrites) {
  if (const char *path = std::getenv("SUITE_SETTING"))
    std::ofstream(path) << "written by a test\n";
}
TEST(Setting, bWritesAnother) {
  if (const char *path = std::getenv("SUITE_SETTING"))
    std::ofstream(path) << getpid() << "\n";
}
TEST(Setting, reads) { EXPECT_EQ(settingBeforeMain, setting()); }
TEST(Good, one) {}
TEST(Good, two) {}
TEST(Good, three) {}
TEST(Good, four) {}
TEST(Good, five) {}
TEST(Good, six) {}
TEST(Good, skips) { GTEST_SKIP(); }
TEST(Cached, process) { EXPECT_TRUE(cachedProcess == 0 || cachedProcess == getpid()); }
TEST(Forked, passes) { EXPECT_TRUE(cachedProcess == 0 || cachedProcess != getpid()); }
TEST(Bad, fails) { EXPECT_EQ(1, 2); }
TEST(Bad, crashes) { raise(SIGSEGV); }
TEST(Bad, hangs) {
  for (;;)
    sleep(600);
}
TEST(Bad, leaves) { _exit(0); }
TEST(Odd, closesAll) {
  for (int file = 0; file < 256; ++file)
    close(file);
}
TEST(Odd, aReplacesDirectory) {
  std::string place = std::getenv("SUITE_DIRECTORY");
  ASSERT_EQ(rename(place.c_str(), (place + ".moved").c_str()), 0);
  ASSERT_EQ(mkdir(place.c_str(), 0777), 0);
}
TEST(Odd, changesDirectory) {
  std::string before = std::getenv("SUITE_DIRECTORY");
  char now[4096];
  ASSERT_EQ(getcwd(now, sizeof now), before);
  ASSERT_EQ(chdir("/"), 0);
}
TEST(Odd, wantsTerminal) {
  char byte;
  EXPECT_EQ(read(STDIN_FILENO, &byte, 1), 0); // at its end
  EXPECT_LT(open("/dev/tty", O_RDWR), 0);
}
TEST(Odd, startsDaemon) {
  const char *file = std::getenv("SUITE_DAEMON");
  ASSERT_TRUE(file);
  if (fork() == 0) {
    setsid();
    if (fork() != 0)
      _exit(0);
    std::string number = std::to_string(getpid()) + "\n";
    int out = open(file, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (write(out, number.data(), number.size()) > 0)
      sleep(600);
    _exit(0);
  }
  while (access(file, F_OK) != 0) // it is there before we go
    usleep(1000);
}
// A daemon of the first test answers the second one.
TEST(Stray, aStarts) {
  if (const char *place = std::getenv("SUITE_STRAY")) {
    retest::startAnswering(place);
    if (std::getenv("SUITE_STRAY_WAITS"))
      usleep(50'000);
  }
}
TEST(Stray, aWaits) { // while what the first one counted is read
  if (std::getenv("SUITE_STRAY_WAITS"))
    usleep(50'000);
}
TEST(Stray, bAsks) {
  if (const char *place = std::getenv("SUITE_STRAY"))
    EXPECT_EQ(retest::ask(place, 3), 4);
}
TEST(Stray, cWaits) { usleep(50'000); } // until it sleeps again
TEST(Stray, dOther) {}
TEST(Odd, endsSibling) {
  if (!std::getenv("SUITE_ENDS_SIBLING"))
    return;
  kill(retest::awaitSibling(), SIGKILL);
}
TEST(Odd, endsParent) {
  if (std::getenv("SUITE_ENDS_PARENT"))
    kill(getppid(), SIGKILL);
  sleep(600);
}
TEST(Odd, printsMuch) {
  std::string line(1 << 20, 'x');
  std::puts("the beginning");
  for (int i = 0; i < 200; ++i)
    std::fwrite(line.data(), 1, line.size(), stdout);
  std::puts("\nthe end");
}
TEST(Odd, leavesGroup) {
  setpgid(0, getppid());
  for (;;)
    sleep(600);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) // whoever asks for the list has started nothing
    if (isFirstStart && std::string(argv[i]).find("list_tests") != std::string::npos)
      std::remove(std::getenv("SUITE_FIRST_START"));
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
