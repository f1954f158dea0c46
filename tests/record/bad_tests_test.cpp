// Tests that do not behave, from end to end: each is in the stored baseline, measured or with the
// reason why not.
#include "db/store.h"
#include "tests/record/recorded_project.h"

#include <map>

using namespace retest;

namespace {

struct Stored {
  TestStatus status;
  std::string unmeasured;
};

std::map<std::string, Stored> storedTests(const std::string &path, const std::string &baseline) {
  Store store = llvm::cantFail(Store::open(path, OpenMode::Read));
  BaselineIndex index = llvm::cantFail(store.loadIndex(baseline));
  auto coverage = llvm::cantFail(store.coverage(index.id));
  REQUIRE(coverage);
  std::map<std::string, Stored> result;
  for (const RecordedTest &test : llvm::cantFail(coverage->tests(TestParts::WithoutFiles)))
    result[idOf(test)] = {test.status, test.unmeasured};
  return result;
}

} // namespace

TEST_CASE("tests that do not behave: none is lost, and none takes others with it") {
  RecordedProject &project = RecordedProject::get();
  // Only CTest's files are written anew: nothing is built.
  REQUIRE(project.run({"cmake", "-DODD=ON", project.build()}).succeeded());
  ProcessResult result = project.retest({"record", "--name", "odd"});
  CHECK_MESSAGE(result.exitCode == 0, result.errors);
  await("strays end", [&] { return !project.isAnythingRunning(); });
  REQUIRE(project.run({"cmake", "-DODD=OFF", project.build()}).succeeded());

  const char *foreign = "among its counters: not a counter file";
  const char *damaged = "among its counters: a damaged counter file";
  const char *gone = "the directory of its counters is gone";
  const char *late = "it did not end in time";
  const char *parent = "the process that started it is gone: it may have ended its parent";
  const char *lost = "its counters or output could not be kept: No such file or directory";
  using enum TestStatus;
  const std::map<std::string, Stored> expected = {
      {"fails", {Failed, ""}},
      {"plain", {Passed, ""}},
      {"script", {Passed, ""}},
      {"waits", {Passed, ""}},
      {"before_tests::Before.main",
       {Passed, "a process before main was killed, or may be in a signal handler"}},
      {"daemon_tests::Daemon.asks", {Passed, ""}},
      {"daemon_tests::Daemon.asksAnothers",
       {Passed, "a process that an earlier test left behind may have been at work for it"}},
      {"daemon_tests::Daemon.doesNotAsk", {Passed, ""}},
      {"odd_tests::Good.fails", {Failed, ""}},
      {"odd_tests::Good.one", {Passed, ""}},
      {"odd_tests::Good.two", {Passed, ""}},
      {"odd_tests::Good.waits", {Passed, ""}},
      {"child-killed", {Passed, ""}},
      {"child-lost", {Passed, lost}},
      {"child-removed", {Passed, "<build>/tool ran, but left no counters"}},
      {"memory", {Crashed, "it was ended by signal 6, aborted"}},
      {"plain-changesDirectory", {Passed, ""}},
      {"plain-closesAll", {Passed, ""}},
      {"plain-cutsCounters", {Passed, damaged}},
      {"plain-dropsForeign", {Passed, std::string(foreign) + ": it is too short"}},
      {"plain-dropsPipe", {Passed, foreign}},
      {"plain-endsParent", {Crashed, parent}},
      {"plain-hangs", {TimedOut, late}},
      {"plain-printsMuch", {Passed, ""}},
      {"plain-removesCounters", {Passed, gone}},
      {"plain-removesData", {Passed, ""}},
      {"plain-startsDaemon", {Passed, ""}},
      {"plain-stops", {TimedOut, late}},
      {"plain-wantsTerminal", {Failed, ""}},
      {"odd_tests::Hangs.hangs", {TimedOut, late}},
      {"odd_tests::Hangs.stops", {TimedOut, late}},
      {"odd_tests::Odd.changesDirectory", {Passed, ""}},
      {"odd_tests::Odd.childLost", {Passed, lost}},
      {"odd_tests::Odd.closesAll", {Passed, "its framework does not say how many tests ran"}},
      {"odd_tests::Odd.cutsCounters", {Passed, damaged}},
      {"odd_tests::Odd.dropsForeign", {Passed, std::string(foreign) + ": it is too short"}},
      {"odd_tests::Odd.dropsPipe", {Passed, foreign}},
      {"odd_tests::Odd.endsParent", {Crashed, parent}},
      {"odd_tests::Odd.printsMuch", {Passed, ""}},
      {"odd_tests::Odd.removesCounters", {Passed, gone}},
      {"odd_tests::Odd.removesData", {Passed, ""}},
      {"odd_tests::Odd.startsDaemon", {Passed, ""}},
  };
  std::map<std::string, Stored> stored = storedTests(project.state() + "/retest.db", "odd");
  CHECK(stored.size() == expected.size());
  for (const auto &[name, test] : expected) {
    CAPTURE(name);
    REQUIRE(stored.count(name) == 1);
    CHECK(stored[name].status == test.status);
    CHECK(stored[name].unmeasured == test.unmeasured);
  }
  CHECK(project.retest({"who", "answered", "--base", "odd"}).output ==
        "daemon_tests::Daemon.asks\n");
  project.checkWhole();
}

TEST_CASE("tests that do not behave: optimised code may lose counts when it is killed") {
  RecordedProject &project = RecordedProject::get();
  REQUIRE(project.run({"cmake", "-DOPTIMISED=ON", project.build()}).succeeded());
  ProcessResult result = project.retest({"record", "--name", "optimised"});
  CHECK_MESSAGE(result.exitCode == 0, result.errors);
  REQUIRE(project.run({"cmake", "-DOPTIMISED=OFF", project.build()}).succeeded());
  REQUIRE(project.run({"cmake", "--build", project.build()}).succeeded());

  std::map<std::string, Stored> stored = storedTests(project.state() + "/retest.db", "optimised");
  CHECK(stored["child-killed"].status == TestStatus::Passed);
  CHECK(stored["child-killed"].unmeasured ==
        "a process of it was killed, or left a function half-way by a signal, and optimised code "
        "may have kept counts in registers until then");
  CHECK(stored["script"].unmeasured == "");
  project.checkWhole();
}
