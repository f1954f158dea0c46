#include "support/process.h"

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>
#include <unistd.h>

using namespace retest;
using namespace std::chrono_literals;

namespace {

ProcessResult run(const ProcessCommand &command) {
  llvm::Expected<ProcessResult> result = runProcess(command);
  REQUIRE_MESSAGE(!!result, llvm::toString(result.takeError()));
  return *result;
}

ProcessResult shell(const char *script) { return run({.arguments = {"sh", "-c", script}}); }

std::string failure(const ProcessCommand &command) {
  llvm::Expected<ProcessResult> result = runProcess(command);
  return result ? "" : llvm::toString(result.takeError());
}

/// Gone, or a zombie that init has not collected yet.
bool isGone(pid_t process) {
  std::string path = "/proc/" + std::to_string(process) + "/stat";
  for (int tries = 0; tries < 200; ++tries) {
    FILE *file = fopen(path.c_str(), "r");
    char state = 'X';
    if (file) {
      if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
      fclose(file);
    }
    if (state == 'X' || state == 'Z')
      return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

} // namespace

TEST_CASE("process: exit code and both streams come back") {
  ProcessResult result = shell("echo out; echo err >&2; exit 3");
  CHECK(result.exitCode == 3);
  CHECK(result.signal == 0);
  CHECK(result.output == "out\n");
  CHECK(result.errors == "err\n");
  CHECK(!result.succeeded());
  CHECK(shell("true").succeeded());
}

TEST_CASE("process: arguments arrive as they are, without a shell") {
  CHECK(run({.arguments = {"printf", "%s|", "a b", "$HOME", "*", "", "'\"\\", "\n"}}).output ==
        "a b|$HOME|*||'\"\\|\n|");
}

TEST_CASE("process: input, also more than a pipe holds, and also unread") {
  const std::string large(1 << 20, 'x');
  CHECK(run({.arguments = {"cat"}, .input = "hello"}).output == "hello");
  CHECK(run({.arguments = {"cat"}, .input = large}).output == large);
  CHECK(run({.arguments = {"true"}, .input = large}).succeeded());
  CHECK(run({.arguments = {"cat"}}).output == "");
}

TEST_CASE("process: both streams may be large") {
  ProcessResult result = shell("head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero");
  CHECK(result.output.size() == 3000000);
  CHECK(result.errors.size() == 3000000);
}

TEST_CASE("process: the working directory") {
  CHECK(run({.arguments = {"pwd", "-P"}, .directory = "/"}).output == "/\n");
  CHECK(failure({.arguments = {"pwd"}, .directory = "/no/such"}) ==
        "/no/such: no such directory, cannot run pwd there");
}

TEST_CASE("process: a relative program is found from our directory, not from the child's") {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path("/");
  CHECK(run({.arguments = {"bin/pwd"}, .directory = "/usr"}).output == "/usr\n");
  std::filesystem::current_path(before);
}

TEST_CASE("process: variables are set on top of ours") {
  setenv("RETEST_KEPT", "kept", 1);
  setenv("RETEST_SET", "ours", 1);
  ProcessCommand command{.arguments = {"sh", "-c", "echo $RETEST_KEPT $RETEST_SET"},
                         .environment = {{"RETEST_SET", "theirs"}}};
  CHECK(run(command).output == "kept theirs\n");
}

TEST_CASE("process: a signal shows as such") {
  ProcessResult result = shell("kill -SEGV $$");
  CHECK(result.signal == SIGSEGV);
  CHECK(result.exitCode == 128 + SIGSEGV);
}

TEST_CASE("process: a program that cannot be started is an error that names it") {
  CHECK(failure({.arguments = {"no-such-program"}}) ==
        "no-such-program: no such program; install it, or add its directory to PATH");
  CHECK(failure({.arguments = {"/etc/passwd"}}) ==
        "/etc/passwd: no such program that can be run; check its path and its permissions");
}

TEST_CASE("process: a timeout ends the child and what it started") {
  ProcessResult result =
      run({.arguments = {"sh", "-c", "sleep 1000 & echo $!; wait"}, .timeout = 1s});
  CHECK(result.timedOut);
  CHECK(result.signal == SIGKILL);
  REQUIRE(!result.output.empty());
  CHECK(isGone(std::stoi(result.output)));
}

TEST_CASE("process: in time is not a timeout") {
  ProcessResult result = run({.arguments = {"sh", "-c", "exit 4"}, .timeout = 60s});
  CHECK(!result.timedOut);
  CHECK(result.exitCode == 4);
}

TEST_CASE("process: a grandchild that lives on does not keep us waiting") {
  const auto start = std::chrono::steady_clock::now();
  ProcessResult result = shell("sleep 30 & echo $!");
  CHECK(std::chrono::steady_clock::now() - start < 20s);
  kill(std::stoi(result.output), SIGKILL);
}

TEST_CASE("process: an interrupt ends the children that run") {
  std::atomic<bool> isOver = false;
  std::thread interrupter([&] {
    while (!isOver) {
      std::this_thread::sleep_for(100ms);
      killRunningProcesses();
    }
  });
  ProcessResult result = run({.arguments = {"sleep", "1000"}, .timeout = 60s});
  isOver = true;
  interrupter.join();
  CHECK(result.signal == SIGKILL);
  CHECK(!result.timedOut);
}

TEST_CASE("process: programs are found in PATH or by their path") {
  CHECK(findProgram("sh").has_value());
  CHECK(findProgram("/bin/sh") == "/bin/sh");
  CHECK(!findProgram("no-such-program"));
  CHECK(!findProgram("/etc"));
}
