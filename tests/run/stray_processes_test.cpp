#include "run/stray_processes.h"

#include "run/preload/protocol.h"
#include "run/run_directory.h"
#include "support/child_process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringRef.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <unistd.h>

using namespace retest;

namespace {

/// A process that answers whatever line it gets, and sleeps in between.
struct Echo {
  explicit Echo(bool isQuiet = false) {
    REQUIRE(pipe(to_) == 0);
    REQUIRE(pipe(from_) == 0);
    ChildCommand command{{"/bin/sh", "-c", isQuiet ? "read line; sleep 600" : "exec cat"}};
    command.input = to_[0];
    command.output = from_[1];
    process.emplace(llvm::cantFail(ChildProcess::start(command)));
    if (!isQuiet)
      ask();
    awaitSleep();
  }
  ~Echo() {
    for (int file : {to_[0], to_[1], from_[0], from_[1]})
      close(file);
  }

  pid_t id() const { return process->id(); }
  void ask() {
    char byte = 0;
    REQUIRE(write(to_[1], "\n", 1) == 1);
    REQUIRE(read(from_[0], &byte, 1) == 1);
  }
  void awaitSleep() const {
    for (;;) {
      std::ifstream file("/proc/" + std::to_string(id()) + "/stat");
      std::string text(std::istreambuf_iterator<char>(file), {});
      if (llvm::StringRef(text).contains(") S "))
        break;
      std::this_thread::yield();
    }
  }

  std::optional<ChildProcess> process;

private:
  int to_[2], from_[2];
};

preload::CounterFileHeader headerOf(pid_t process, bool hasEnded) {
  preload::CounterFileHeader header{};
  header.magic = preload::CounterFileHeader::kMagic;
  header.process = static_cast<std::uint64_t>(process);
  header.hasEnded = hasEnded;
  return header;
}

/// A directory for counter files.
struct Counters {
  TemporaryDirectory directory;

  void add(pid_t process, bool hasEnded = false, const std::string &name = "1.counters") const {
    preload::CounterFileHeader header = headerOf(process, hasEnded);
    directory.write(name,
                    std::string(reinterpret_cast<const char *>(&header), sizeof header) + "more");
  }
};

} // namespace

TEST_CASE("strays: who is found") {
  Echo echo;
  Counters counters;
  TemporaryDirectory own;
  StrayProcesses strays(own.path());
  SUBCASE("nobody") { CHECK(!strays.find(counters.directory.path(), 0)); }
  SUBCASE("no directory") { CHECK(!strays.find("/no/such/directory", 0)); }
  SUBCASE("one that has begun and goes on") {
    counters.add(echo.id());
    CHECK(strays.find(counters.directory.path(), 0));
  }
  SUBCASE("one that is about to begin") {
    counters.directory.write(std::to_string(echo.id()) + "-12-0.new", "");
    CHECK(strays.find(counters.directory.path(), 0));
  }
  SUBCASE("one that has said that it ends") {
    counters.add(echo.id(), /*hasEnded=*/true);
    CHECK(!strays.find(counters.directory.path(), 0));
  }
  SUBCASE("one that has ended") {
    counters.add(echo.id());
    kill(echo.id(), SIGKILL);
    echo.process->endsBy(std::nullopt);
    CHECK(!strays.find(counters.directory.path(), 0)); // nobody has reaped it
    echo.process->reap();
    CHECK(!strays.find(counters.directory.path(), 0));
  }
  SUBCASE("one that was killed with its group is waited for") {
    for (int i = 0; i < 20; ++i) {
      Echo killed;
      counters.add(killed.id());
      kill(-killed.id(), SIGKILL);
      CHECK(!strays.find(counters.directory.path(), killed.id()));
    }
  }
  SUBCASE("what is no counter file") {
    counters.add(echo.id(), false, "other");
    counters.directory.write("2.counters", "");
    counters.directory.write("3.counters", std::string(5000, 'x'));
    CHECK(!strays.find(counters.directory.path(), 0));
  }
}

TEST_CASE("strays: whether one was at work") {
  Echo echo, quiet(/*isQuiet=*/true);
  Counters counters;
  TemporaryDirectory own;
  StrayProcesses strays(own.path());
  CHECK(strays.activity() == strays.activity());
  counters.add(echo.id());
  counters.add(quiet.id(), false, "2.counters");
  CHECK(strays.find(counters.directory.path(), 0));
  unsigned before = strays.activity();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(strays.activity() == before); // both sleep

  echo.ask();
  CHECK(strays.activity() != before);
  echo.awaitSleep();
  strays.activity();
  before = strays.activity();
  CHECK(strays.activity() == before);

  kill(echo.id(), SIGKILL);
  echo.process->endsBy(std::nullopt);
  CHECK(strays.activity() != before); // who knows what it did until then
  before = strays.activity();
  CHECK(strays.activity() == before); // it is forgotten
}

TEST_CASE("strays: those that come late") {
  TemporaryDirectory own;
  std::optional<StrayProcesses> strays(own.path());
  std::unique_ptr<RunDirectory> run = llvm::cantFail(RunDirectory::make(own.path(), &*strays));
  const std::string way = run->counters();
  std::ofstream(way + "/0.counters") << "of the run";
  run->close(/*group=*/0);
  CHECK(!run->hasStrays());
  CHECK(std::filesystem::exists(run->counters() + "/0.counters"));
  unsigned before = strays->activity();
  CHECK(strays->activity() == before);

  Echo echo;
  auto begin = [&](const std::string &name, bool hasEnded) {
    preload::CounterFileHeader header = headerOf(echo.id(), hasEnded);
    std::ofstream(way + "/" + name).write(reinterpret_cast<const char *>(&header), sizeof header);
  };
  auto wasAtWork = [&] { return std::exchange(before, strays->activity()) != before; };
  begin("1.counters", true);
  CHECK(wasAtWork());
  CHECK(!wasAtWork());
  std::ofstream(way + "/999999999-1-0.new").flush(); // of a process that was killed
  CHECK(wasAtWork());
  CHECK(!wasAtWork());
  run.reset(); // the way stays
  begin("2.counters", false);
  CHECK(wasAtWork());
  CHECK(!wasAtWork());
  echo.ask();
  CHECK(wasAtWork());
  strays.reset();
  CHECK(std::filesystem::is_empty(own.path()));
}
