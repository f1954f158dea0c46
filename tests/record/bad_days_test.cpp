// Recordings that come to a bad end, and what is left of them: the old baseline as it was, and
// nothing else.
#include "tests/record/recorded_project.h"

#include <cstdlib>

using namespace retest;

namespace {

/// After a recorder has ended, whatever way.
void checkNothingRuns(const RecordedProject &project) {
  await("all processes of the project end", [&] { return !project.isAnythingRunning(); });
}

void checkNextRecord(const RecordedProject &project, const std::string &directory) {
  ProcessResult next = project.retest({"record", "--name", "new"});
  CHECK_MESSAGE(next.exitCode == 0, next.output, next.errors);
  CHECK(next.output.find("tests: 8: 6 passed, 2 failed\n") != std::string::npos);
  CHECK_MESSAGE((directory.empty() || !std::filesystem::exists(directory)), directory);
  CHECK(project.leftInState() == std::set<std::string>{});
}

} // namespace

TEST_CASE("record: killed while tests run, they end, and the next one cleans up") {
  RecordedProject &project = RecordedProject::get();
  for (bool isGroup : {false, true}) {
    RunningRecord record(project, project.path("awaited"));
    ChildProcess recorder = record.start(/*waits=*/true);
    std::string directory = record.directory();
    REQUIRE(std::filesystem::exists(directory));
    kill(isGroup ? -recorder.id() : recorder.id(), SIGKILL);
    CHECK(recorder.reap().signal == SIGKILL);
    checkNothingRuns(project);
    project.checkWhole();
    // It is in a place that all recorders of the machine share: another one may have cleaned up.
    checkNextRecord(project, directory);
  }
}

TEST_CASE("record: killed at any moment") {
  RecordedProject &project = RecordedProject::get();
  RunningRecord record(project, project.path("awaited"));
  auto begin = std::chrono::steady_clock::now();
  CHECK(record.start(/*waits=*/false).reap().exitCode == 0);
  auto whole = std::chrono::steady_clock::now() - begin;
  const char *wanted = std::getenv("RETEST_KILLS"); // the lab asks for more
  int kills = wanted ? std::atoi(wanted) : 50;
  int ended = 0;
  for (int i = 0; i < kills; ++i) {
    CAPTURE(i);
    // So that there is something to parse, and a baseline "new" to be replaced.
    if (i % 2 == 0)
      std::filesystem::remove(project.state() + "/cache.db");
    ChildProcess recorder = record.start(/*waits=*/false);
    std::this_thread::sleep_for(whole * (2 * i + 1) * 11 / (20 * kills)); // some come too late
    kill(i % 3 == 0 ? -recorder.id() : recorder.id(), SIGKILL);
    ChildEnd end = recorder.reap();
    CHECK_MESSAGE((end.signal == SIGKILL || end.exitCode == 0), record.log());
    ended += end.signal == 0;
    checkNothingRuns(project);
    project.checkWhole();
  }
  MESSAGE(kills, " kills, ", ended, " of them too late");
  checkNextRecord(project, record.directory());
}

TEST_CASE("record: interrupted, it leaves nothing behind") {
  RecordedProject &project = RecordedProject::get();
  for (int signal : {SIGINT, SIGTERM}) {
    RunningRecord record(project, project.path("awaited"));
    ChildProcess recorder = record.start(/*waits=*/true);
    std::string directory = record.directory();
    REQUIRE(std::filesystem::exists(directory));
    kill(recorder.id(), signal);
    CHECK(recorder.reap().exitCode == 128 + signal);
    CHECK(!std::filesystem::exists(directory));
    CHECK(!project.isAnythingRunning()); // at once
    project.checkWhole();
  }
}

TEST_CASE("record: two at once, and readers meanwhile") {
  RecordedProject &project = RecordedProject::get();
  RunningRecord record(project, project.path("awaited"));
  ChildProcess first = record.start(/*waits=*/true);
  std::string directory = record.directory();
  ProcessResult second = project.retest({"record", "--name", "second"});
  CHECK(second.exitCode == 3);
  CHECK(second.errors.find("another `retest record` or `run` is at work here") !=
        std::string::npos);
  project.checkWhole();
  CHECK(std::filesystem::exists(directory));
  record.release();
  CHECK_MESSAGE(first.reap().exitCode == 0, record.log());
  CHECK(!std::filesystem::exists(directory));
  CHECK(project.textOf("new").who == project.old().who);
}

TEST_CASE("record: the program changes while its tests run, so nothing is stored") {
  RecordedProject &project = RecordedProject::get();
  auto change = [&](const std::function<void()> &act) {
    RunningRecord record(project, project.path("awaited"));
    record.name = "changed";
    ChildProcess recorder = record.start(/*waits=*/true);
    act();
    record.release();
    CHECK(recorder.reap().exitCode == 3);
    CHECK_MESSAGE(
        record.log().find("tool: changed while its tests ran, or each build makes another "
                          "one; so nothing was stored") != std::string::npos,
        record.log());
    project.checkWhole();
    CHECK(project.retest({"db", "export", "changed", "-o", "/dev/null"}).exitCode != 0);
  };
  std::string source = project.path("project/tool.cpp");
  std::string text = contentOf(source);
  SUBCASE("a source file is edited") {
    change([&] { std::ofstream(source) << text << "static int added() { return 1; }\n"; });
  }
  SUBCASE("a program is built by somebody else") {
    change([&] {
      std::ofstream(source) << "int later;\n" << text;
      CHECK(project.run({"cmake", "--build", project.build()}).succeeded());
    });
  }
  std::ofstream(source) << text;
}
