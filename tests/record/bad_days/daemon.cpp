// A program that starts a daemon before its main, if there is none, and tests that ask it.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int answered(int value) {
  if (value > 2)
    return value * 2;
  return 1;
}

/// Its name is in no directory.
static sockaddr_un addressOf(socklen_t &size) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path + 1, DAEMON, sizeof address.sun_path - 2);
  size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + std::strlen(DAEMON));
  return address;
}

static void answerAll(int listener) {
  for (;;) {
    int client = accept(listener, nullptr, nullptr);
    char byte;
    if (read(client, &byte, 1) == 1) {
      byte = static_cast<char>(answered(byte));
      (void)!write(client, &byte, 1);
    }
    close(client);
  }
}

/// It waits before the process between them ends; until then its parents are known.
static void start(int listener) {
  int ready[2];
  char byte = 0;
  if (pipe(ready) != 0)
    return;
  if (fork() == 0) {
    setsid();
    if (fork() == 0 && write(ready[1], &byte, 1) == 1)
      answerAll(listener);
    _exit(read(ready[0], &byte, 1) == 1 ? 0 : 1);
  }
  wait(nullptr);
  close(ready[0]);
  close(ready[1]);
}

[[maybe_unused]] static const bool isStarted = [] {
  socklen_t size;
  sockaddr_un address = addressOf(size);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  bool isFirst =
      bind(listener, reinterpret_cast<sockaddr *>(&address), size) == 0 && listen(listener, 5) == 0;
  if (isFirst)
    start(listener);
  close(listener);
  return isFirst;
}();

static int ask(char byte) {
  socklen_t size;
  sockaddr_un address = addressOf(size);
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(server, reinterpret_cast<sockaddr *>(&address), size) != 0 ||
      write(server, &byte, 1) != 1 || read(server, &byte, 1) != 1)
    return -1;
  close(server);
  return byte;
}

TEST(Daemon, asks) { EXPECT_EQ(ask(3), 6); }
TEST(Daemon, doesNotAsk) { usleep(100'000); } // while what the first has left is read
TEST(Daemon, asksAnothers) { EXPECT_EQ(ask(1), 1); }
