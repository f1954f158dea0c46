#include "cov/counter_file.h"
#include "run/fork_server.h"
#include "run/preload/protocol.h"
#include "run/run_program.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>

using namespace retest;

namespace {

/// A counter that was passed: module and number.
using Passed = std::set<std::pair<std::string, std::size_t>>;

Passed passedIn(const std::vector<ModuleCounters> &files) {
  Passed passed;
  for (const ModuleCounters &file : files)
    for (std::size_t i = 0; i < file.counters.size(); ++i)
      if (file.counters[i] != 0)
        passed.insert({file.module, i});
  return passed;
}

struct Ran {
  RunEnd end;
  std::string output;
  Passed passed;
  std::size_t files = 0; ///< one for each process and module
  bool hadThreads = false;
  bool hasEnded = false; ///< each process, with no function half-way
};

/// A server of the fixture program, and a directory for each run.
struct Fixture {
  explicit Fixture(const std::string &program = FIXTURE) : program(program) {}

  TemporaryDirectory directory;
  std::string program;
  std::chrono::milliseconds timeout = std::chrono::seconds(20);
  int runs = 0;

  std::string make(const std::string &name) {
    std::filesystem::create_directories(directory / name);
    return directory / name;
  }

  llvm::Expected<ForkServer> start(const char *variable = "FIXTURE",
                                   const std::string &value = "1") {
    ServerCommand command;
    command.arguments = {program};
    command.environment = {{"FIXTURE_LIBRARY", FIXTURE_LIBRARY}, {variable, value}};
    command.counterDirectory = make("before main");
    command.timeout = timeout;
    return ForkServer::start(command);
  }

  Ran run(ForkServer &server, const std::vector<std::string> &tests,
          std::optional<std::chrono::milliseconds> timeout = std::chrono::seconds(20)) {
    ServerRun run;
    std::string own = make("run " + std::to_string(++runs));
    run.arguments = {program};
    run.arguments.insert(run.arguments.end(), tests.begin(), tests.end());
    run.outputFile = own + "/out";
    run.errorFile = own + "/err";
    run.counterDirectory = own;
    run.timeout = timeout;
    return gather(llvm::cantFail(server.run(run)), own);
  }

  Ran runAlone(const std::vector<std::string> &tests,
               std::optional<std::chrono::milliseconds> timeout = std::chrono::seconds(20)) {
    ProgramRun run;
    std::string own = make("run " + std::to_string(++runs));
    run.arguments = {program};
    run.arguments.insert(run.arguments.end(), tests.begin(), tests.end());
    run.environment = {{"FIXTURE_LIBRARY", FIXTURE_LIBRARY}};
    run.outputFile = own + "/out";
    run.errorFile = own + "/err";
    run.counterDirectory = own;
    run.timeout = timeout;
    return gather(llvm::cantFail(runProgram(run)), own);
  }

  static Ran gather(RunEnd end, const std::string &directory) {
    Ran ran;
    ran.end = end;
    std::vector<ModuleCounters> files = llvm::cantFail(takeCounterFiles(directory));
    ran.files = files.size();
    ran.hadThreads = std::any_of(files.begin(), files.end(),
                                 [](const ModuleCounters &file) { return file.hadThreads; });
    ran.hasEnded = std::all_of(files.begin(), files.end(),
                               [](const ModuleCounters &file) { return file.hasEnded; });
    ran.passed = passedIn(files);
    std::ifstream text(directory + "/out");
    ran.output.assign(std::istreambuf_iterator<char>(text), {});
    return ran;
  }
};

bool includes(const Passed &all, const Passed &part) {
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

} // namespace

TEST_CASE("fork server: what runs before main is kept apart") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  CHECK(server.objection() == "");
  Passed before = passedIn(llvm::cantFail(takeCounterFiles(fixture.directory / "before main")));
  CHECK(!before.empty());
  Ran ran = fixture.run(server, {"lazyOne"});
  Passed both;
  std::set_intersection(before.begin(), before.end(), ran.passed.begin(), ran.passed.end(),
                        std::inserter(both, both.end()));
  CHECK(both.empty());
}

TEST_CASE("fork server: each test starts from pristine memory") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  Ran one = fixture.run(server, {"lazyOne"}), two = fixture.run(server, {"lazyTwo"});
  Ran both = fixture.run(server, {"lazyOne", "lazyTwo"});
  CHECK(one.output == "lazy 2\n");
  CHECK(two.output == "lazy 2\n");
  CHECK(one.end.exitCode == 0);
  // The lazily computed value is charged to each of the two.
  CHECK(one.passed.size() == two.passed.size());
  CHECK(includes(both.passed, one.passed));
  CHECK(includes(both.passed, two.passed));
  CHECK(one.files == 1);
}

TEST_CASE("fork server: memory is pristine also where it was written by tests before") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  for (int run = 0; run < 4; ++run) { // the first is watched, pages are copied for the others
    CAPTURE(run);
    CHECK(fixture.run(server, {"writesMuch"}).output == "pristine\n");
  }
}

TEST_CASE("fork server: however a test ends, its counters are there") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  std::size_t nothing = fixture.run(server, {}).passed.size();
  Ran failed = fixture.run(server, {"fails"});
  CHECK(failed.end.exitCode == 7);
  CHECK(failed.passed.size() > nothing);
  Ran left = fixture.run(server, {"leavesAtOnce"});
  CHECK(left.end.exitCode == 3);
  CHECK(left.passed.size() > nothing);
  Ran crashed = fixture.run(server, {"crashes"});
  CHECK(crashed.end.signal == SIGSEGV);
  CHECK(crashed.passed.size() > nothing);
  Ran hung = fixture.run(server, {"hangs"}, std::chrono::milliseconds(300));
  CHECK(hung.end.timedOut);
  CHECK(hung.end.signal == SIGKILL);
  CHECK(hung.passed.size() > nothing);
  // And the server is as it was.
  CHECK(fixture.run(server, {"lazyOne"}).output == "lazy 2\n");
}

TEST_CASE("fork server: threads, children, libraries and other programs belong to the test") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  std::size_t nothing = fixture.run(server, {}).passed.size();
  Ran threaded = fixture.run(server, {"startsThread"});
  CHECK(threaded.passed.size() >= nothing + 2);
  CHECK(threaded.hadThreads);

  Ran forked = fixture.run(server, {"forks"});
  CHECK(forked.output == "own memory\n");
  CHECK(forked.files == 2); // the child's, although it aborted
  CHECK(!forked.hadThreads);

  Ran loaded = fixture.run(server, {"loadsLibrary"});
  CHECK(loaded.output == "answer 42\n");
  CHECK(std::any_of(loaded.passed.begin(), loaded.passed.end(),
                    [](const auto &each) { return each.first == FIXTURE_LIBRARY; }));

  Ran started = fixture.run(server, {"startsProgram"});
  CHECK(started.output == "lazy 2\n");
  CHECK(started.files == 3); // the test, its child before and after exec
  CHECK(includes(started.passed, fixture.run(server, {"lazyOne"}).passed));
}

TEST_CASE("fork server: a process has come to its end if all its other threads sleep") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  for (const char *test : {"lazyOne", "fails", "leavesAtOnce", "startsThread", "leavesSleeper",
                           "firstThreadEnds", "forks", "loadsLibrary"}) {
    CAPTURE(std::string(test));
    CHECK(fixture.run(server, {test}).hasEnded);
  }
  CHECK(!fixture.run(server, {"crashes"}).hasEnded);
  for (int run = 0; run < 100; ++run) // whatever is there when somebody looks
    CHECK(!fixture.run(server, {"leavesRelay"}).hasEnded);
}

TEST_CASE(
    "fork server: children of a process with threads do not wait for a lock that nobody holds") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  Ran ran = fixture.run(server, {"forksUnderLock"});
  CHECK(!ran.end.timedOut);
  CHECK(ran.output == "all have ended\n");
  CHECK(ran.files == 21);
}

TEST_CASE("fork server: with what runs before main, the counters of a process of its own") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  Passed before = passedIn(llvm::cantFail(takeCounterFiles(fixture.directory / "before main")));
  for (const char *test : {"lazyOne", "lazyTwo", "fails", "forks", "leavesAtOnce", "crashes",
                           "startsThread", "loadsLibrary", "startsProgram", "closesAll"}) {
    CAPTURE(test);
    Ran forked = fixture.run(server, {test});
    Ran alone = fixture.runAlone({test});
    CHECK(alone.end.exitCode == forked.end.exitCode);
    CHECK(alone.end.signal == forked.end.signal);
    CHECK(alone.output == forked.output);
    forked.passed.insert(before.begin(), before.end());
    CHECK(alone.passed == forked.passed);
  }
  CHECK(fixture.runAlone({"hangs"}, std::chrono::milliseconds(300)).end.timedOut);
}

TEST_CASE("fork server: a test may close what it wants and leave processes behind") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  CHECK(fixture.run(server, {"closesAll"}).end.exitCode == 0);
  Ran left = fixture.run(server, {"leavesDaemon"});
  CHECK(left.end.exitCode == 0);
  CHECK(left.end.wall < std::chrono::seconds(15)); // nobody waits for it
  CHECK(fixture.run(server, {"lazyTwo"}).output == "lazy 2\n");
}

TEST_CASE("fork server: a child that cannot take its request is not waited for without end") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start());
  fixture.run(server, {"stopsSibling"});
  ServerRun run;
  run.arguments = {FIXTURE, "lazyOne"};
  run.counterDirectory = fixture.make("never");
  run.outputFile = run.errorFile = run.counterDirectory + "/out";
  run.mostStart = std::chrono::milliseconds(300);
  llvm::Expected<RunEnd> end = server.run(run);
  REQUIRE(!end);
  CHECK(llvm::toString(end.takeError()) == "the fork server does not answer");
  CHECK(!server.hadBegun()); // so it may run once more, elsewhere
}

TEST_CASE("fork server: what stands against it") {
  Fixture fixture;
  CHECK(llvm::cantFail(fixture.start("FIXTURE_OPENS")).objection() == "1 file is open before main");
  CHECK(llvm::cantFail(fixture.start("FIXTURE_STARTS_THREAD")).objection() ==
        "2 threads run before main");
  for (const char *way : {"FIXTURE_STARTS_CHILD", "FIXTURE_STARTS_DAEMON", "FIXTURE_CLONES"}) {
    CAPTURE(std::string(way));
    CHECK(llvm::cantFail(fixture.start(way)).objection() == "it has child processes before main");
  }
  CHECK(llvm::cantFail(fixture.start("FIXTURE_SHARES_MEMORY")).objection() ==
        "it shares memory with its children that it maps before main");
  for (const char *timer : {"FIXTURE_SETS_ALARM", "FIXTURE_MAKES_TIMER"})
    CHECK(llvm::cantFail(fixture.start(timer)).objection() ==
          "it sets a timer before main, which its children would not have");
  CHECK(llvm::cantFail(Fixture("/bin/cat").start()).objection() ==
        "has no counters: it was not built for coverage");
}

TEST_CASE("fork server: a program that runs others before main") {
  Fixture fixture;
  ForkServer server = llvm::cantFail(fixture.start("FIXTURE_RUNS_PROGRAM"));
  CHECK(server.objection() == "");
  CHECK(fixture.run(server, {"lazyOne"}).output == "lazy 2\n");
}

TEST_CASE("fork server: a static executable is refused, and said so") {
  Fixture fixture(FIXTURE_STATIC);
  llvm::Expected<ForkServer> server = fixture.start();
  REQUIRE(!server);
  CHECK(llvm::toString(server.takeError()).find("cannot be kept at its main") != std::string::npos);
}

TEST_CASE("fork server: a library of another version is not waited for without end") {
  for (unsigned magic : {preload::ServerHello::kMagic, preload::ServerHello::kMagic - 1}) {
    CAPTURE(magic);
    Fixture fixture(FIXTURE_STATIC); // into which none is preloaded
    fixture.timeout = std::chrono::seconds(2);
    llvm::Expected<ForkServer> server = fixture.start("FIXTURE_GREETING", std::to_string(magic));
    REQUIRE(!server);
    CHECK(llvm::toString(server.takeError())
              .find("the preloaded library is of another version of retest") != std::string::npos);
  }
}

TEST_CASE("fork server: a program that is not there") {
  Fixture fixture("/no/such/program");
  llvm::Expected<ForkServer> server = fixture.start();
  REQUIRE(!server);
  CHECK(llvm::toString(server.takeError()) ==
        "/no/such/program: no such program that can be run; check its path and its permissions");
}
