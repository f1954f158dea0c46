#include "cli/signals.h"

#include "support/process.h"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace retest;
using namespace std::chrono_literals;

namespace {

/// Runs `work` in a forked copy of this program; the status as waitpid gives it.
template <class Work> int statusOf(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

} // namespace

TEST_CASE("signals: 130 for SIGINT, 143 for SIGTERM") {
  for (int signal : {SIGINT, SIGTERM}) {
    const int status = statusOf([&] {
      endOnSignals();
      raise(signal);
    });
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 128 + signal);
  }
}

TEST_CASE("signals: what was ignored stays ignored") {
  const int status = statusOf([] {
    std::signal(SIGINT, SIG_IGN);
    endOnSignals();
    raise(SIGINT);
  });
  CHECK(WEXITSTATUS(status) == 99);
}

TEST_CASE("signals: running children end too") {
  int ends[2];
  REQUIRE(pipe(ends) == 0); // its writing end stays open as long as the grandchild lives
  const int status = statusOf([&] {
    close(ends[0]);
    endOnSignals();
    const pid_t self = getpid();
    std::thread([self] {
      std::this_thread::sleep_for(300ms);
      kill(self, SIGTERM);
    }).detach();
    llvm::consumeError(runProcess({.arguments = {"sleep", "60"}}).takeError());
  });
  close(ends[1]);
  CHECK(WEXITSTATUS(status) == 143);
  char byte = 0;
  CHECK(read(ends[0], &byte, 1) == 0); // returns only when the grandchild is gone
  close(ends[0]);
}

TEST_CASE("signals: deferred, the first one leaves time to tidy up, the second one does not") {
  const int first = statusOf([] {
    endOnSignals();
    DeferredSignals signals;
    signals.endIfCome();
    raise(SIGTERM);
    if (signals.hasCome())
      signals.endIfCome();
  });
  CHECK(WEXITSTATUS(first) == 143);
  const int second = statusOf([] {
    endOnSignals();
    DeferredSignals signals;
    raise(SIGTERM);
    raise(SIGINT);
  });
  CHECK(WEXITSTATUS(second) == 130);
  const int later = statusOf([] {
    endOnSignals();
    {
      DeferredSignals signals;
    }
    raise(SIGINT);
  });
  CHECK(WEXITSTATUS(later) == 130);
}
