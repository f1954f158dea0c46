#include "run/run_suite.h"

#include "tests/run/suite/suite_run.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>

#include <csignal>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace retest;

namespace {

const std::string kProgram = SUITE_PROGRAM;

/// A process that nobody has reaped yet is not alive.
bool isAlive(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text); // unlike an iterator, it does not mind that the process ends meanwhile
  std::size_t end = text.rfind(") ");
  return end != std::string::npos && text[end + 2] != 'Z';
}

SuiteEntry withFilter(const std::string &filter) {
  return entryOf("entry", {kProgram, "--gtest_filter=" + filter});
}

} // namespace

TEST_CASE("a suite of every framework: forked and started, the outcomes are the same") {
  std::vector<SuiteEntry> entries =
      entriesFor({GOOGLETEST_PROGRAM, DOCTEST_PROGRAM, CATCH2_PROGRAM, BOOST_PROGRAM});
  SuiteRan forked = runEntries(entries);
  for (const UnforkedProgram &program : forked.result.unforked)
    FAIL_CHECK(program.program << " " << program.reason);
  SuiteOptions options = steadyOptions();
  options.isForking = false;
  SuiteRan alone = runEntries(entries, options);
  CHECK(forked.outcomes.size() == 23 + 31 + 35 + 33);
  CHECK(alone.outcomes.size() == forked.outcomes.size());
  CHECK(alone.result.unforked.size() == 4);
  std::set<std::string> failed;
  for (const FoundTest &test : forked.tests) {
    const std::string id = idOf(test);
    CAPTURE(id);
    const TestOutcome &outcome = forked.outcomes[id];
    CHECK(outcome.status == alone.outcomes[id].status);
    CHECK(outcome.unmeasured == alone.outcomes[id].unmeasured);
    CHECK(!alone.outcomes[id].wasForked);
    CHECK((forked.counterFiles[id] > 0) == !test.isDisabled);
    if (test.isDisabled) {
      CHECK(outcome.status == TestStatus::Disabled);
      continue;
    }
    CHECK(outcome.unmeasured == "");
    CHECK(outcome.wasForked == (outcome.status == TestStatus::Passed));
    if (outcome.status != TestStatus::Passed)
      failed.insert(id);
  }
  CHECK(failed == std::set<std::string>{"run_googletest::Plain.fails", "run_doctest::fails",
                                        "run_catch2::fails", "run_boost::fails"});
  CHECK(forked.servers.size() == 4);
  CHECK(alone.servers.empty());
  CHECK(forked.left.empty());
  CHECK(forked.progress.done == forked.tests.size());
  CHECK(forked.progress.total == forked.tests.size());
  CHECK(forked.progress.failed == 4);
}

TEST_CASE("a suite: what fails when it is forked is repeated") {
  SuiteEntry entry = withFilter("Good.*:Bad.fails:Bad.crashes:Bad.hangs:Bad.leaves");
  entry.timeout = std::chrono::milliseconds(600);
  SuiteRan ran = runEntries({entry});
  CHECK(ran.result.unforked.empty());
  CHECK(ran.outcomes["Bad.fails"].status == TestStatus::Failed);
  CHECK(ran.outcomes["Bad.fails"].unmeasured == "");
  CHECK(ran.outcomes["Bad.crashes"].status == TestStatus::Crashed);
  CHECK(ran.outcomes["Bad.crashes"].unmeasured == "it was ended by signal 11, segmentation fault");
  CHECK(ran.outcomes["Bad.hangs"].status == TestStatus::TimedOut);
  CHECK(ran.outcomes["Bad.hangs"].unmeasured == "it did not end in time");
  // CTest says that it passed; but nobody knows what it would have done.
  CHECK(ran.outcomes["Bad.leaves"].status == TestStatus::Passed);
  CHECK(ran.outcomes["Bad.leaves"].unmeasured == "its framework does not say how many tests ran");
  for (const char *test : {"Bad.fails", "Bad.crashes", "Bad.hangs", "Bad.leaves"}) {
    CHECK(!ran.outcomes[test].wasForked);
    CHECK(ran.counterFiles[test] > 0);
  }
  CHECK(ran.outcomes["Good.one"].wasForked);
}

TEST_CASE("a suite: a test that ends otherwise when it is forked pins its program") {
  SuiteEntry entry = withFilter("Good.*:Cached.*");
  entry.environment = {"SUITE_CACHES_PROCESS=1"};
  for (unsigned leastSample : {0u, 3u, 100u}) { // found as a failure, or in the sample
    CAPTURE(leastSample);
    SuiteOptions options = steadyOptions(1);
    options.sampleShare = 0;
    options.leastSample = leastSample;
    SuiteRan ran = runEntries({entry}, options);
    REQUIRE(ran.result.unforked.size() == 1);
    CHECK(ran.result.unforked[0].program == kProgram);
    CHECK(ran.result.unforked[0].outcomesDiffered);
    CHECK(ran.result.unforked[0].reason ==
          "Cached.process failed when it was forked, and passed as a process of its own");
    CHECK(ran.outcomes.size() == 8);
    for (const auto &[name, outcome] : ran.outcomes) {
      CAPTURE(name);
      CHECK(outcome.status == TestStatus::Passed);
      CHECK(!outcome.wasForked);
      CHECK(ran.counterFiles[name] > 0);
    }
    CHECK(ran.progress.done == 8);
    CHECK(ran.progress.failed == 0);
  }
}

TEST_CASE("a suite: tests that pass are compared as long as there is time for it") {
  SuiteEntry entry = withFilter("Good.*:Forked.*");
  entry.environment = {"SUITE_CACHES_PROCESS=1"};
  for (bool hasTime : {true, false}) {
    CAPTURE(hasTime);
    SuiteOptions options = steadyOptions(1);
    options.leastSample = 100;
    options.sampleTimeShare = 0;
    if (!hasTime)
      options.leastSampleTime = options.cheapSample = {};
    SuiteRan ran = runEntries({entry}, options);
    CHECK(ran.result.unforked.size() == hasTime);
    CHECK(ran.outcomes["Forked.passes"].status ==
          (hasTime ? TestStatus::Failed : TestStatus::Passed));
  }
}

TEST_CASE("a suite: without time for samples a program is compared all the same if that is cheap") {
  SuiteOptions options = steadyOptions(1);
  options.leastSampleTime = {};
  options.sampleTimeShare = 0;
  options.cheapSample = std::chrono::hours(1);
  CHECK(runEntries({withFilter("Good.*")}, options).result.uncompared.empty());
  options.cheapSample = {};
  CHECK(runEntries({withFilter("Good.*")}, options).result.uncompared == std::vector{kProgram});
}

TEST_CASE("a suite: programs that cannot be forked are started, and the reason is told") {
  std::vector<SuiteEntry> entries = {withFilter("Good.one")};
  entries[0].environment = {std::string("LD_PRELOAD=") + THREAD_LIBRARY};
  SuiteRan ran = runEntries(entries);
  REQUIRE(ran.result.unforked.size() == 1);
  CHECK(ran.result.unforked[0].reason == "2 threads run before main");
  CHECK(!ran.result.unforked[0].outcomesDiffered);
  CHECK(ran.outcomes["Good.one"].status == TestStatus::Passed);
  CHECK(ran.counterFiles["Good.one"] > 0);
}

TEST_CASE("a suite: a program that loses counts before main is not forked") {
  SuiteEntry entry = withFilter("Good.one");
  entry.environment = {"SUITE_LOSES_COUNTERS=1"};
  SuiteRan ran = runEntries({entry});
  REQUIRE(ran.result.unforked.size() == 1);
  CHECK(ran.result.unforked[0].reason ==
        "what it counts before main could not be kept: No such file or directory");
  CHECK(ran.outcomes["Good.one"].unmeasured ==
        "its counters or output could not be kept: No such file or directory");
}

TEST_CASE("a suite: forks that are dearer than starts are not worth it") {
  SuiteOptions options = steadyOptions(1);
  options.mostForkCost = 0; // anything is too dear
  options.leastSample = 3;
  SuiteRan ran = runEntries({withFilter("Good.*")}, options);
  REQUIRE(ran.result.unforked.size() == 1);
  CHECK(ran.result.unforked[0].reason.find("3 tests took ") == 0);
  CHECK(!ran.result.unforked[0].outcomesDiffered);
  CHECK(llvm::count_if(ran.outcomes, [](auto &each) { return each.second.wasForked; }) == 3);
}

TEST_CASE("a suite: tests that do not behave") {
  TemporaryDirectory directory;
  std::string place = std::filesystem::canonical(directory.path());
  SuiteEntry entry = withFilter("Odd.*-Odd.aReplacesDirectory:Odd.endsParent:Odd.endsSibling:"
                                "Odd.leavesGroup:Odd.printsMuch");
  entry.directory = place;
  entry.environment = {"SUITE_DIRECTORY=" + place, "SUITE_DAEMON=" + place + "/daemon"};
  for (bool isForking : {true, false}) {
    CAPTURE(isForking);
    SuiteOptions options = steadyOptions();
    options.isForking = isForking;
    SuiteRan ran = runEntries({entry}, options);
    CHECK(ran.outcomes.size() == 4);
    for (const auto &[name, outcome] : ran.outcomes) {
      CAPTURE(name);
      CAPTURE(outcome.output);
      CHECK(outcome.status == TestStatus::Passed);
      CHECK(ran.counterFiles[name] > 0);
      // It cannot say so once it has closed its streams.
      CHECK(outcome.unmeasured ==
            (name == "Odd.closesAll" ? "its framework does not say how many tests ran" : ""));
    }
    std::ifstream daemons(place + "/daemon");
    unsigned count = 0;
    for (pid_t process; daemons >> process; ++count)
      while (isAlive(process)) // it was ended; it may take a moment
        std::this_thread::yield();
    CHECK(count > 0);
    std::filesystem::remove(place + "/daemon");
  }
}

TEST_CASE("a suite: whoever is answered by the daemon of another test is no measurement") {
  for (bool isForking : {true, false})
    for (bool isLate : {true, false}) { // it may not have begun yet when its test ends
      CAPTURE(isForking);
      CAPTURE(isLate);
      SuiteEntry entry = withFilter("Stray.*");
      entry.environment = {fmt::format("SUITE_STRAY=retest-{}-{}-{}", getpid(), isForking, isLate),
                           isLate ? "SUITE_STRAY_COMES=1" : "SUITE_STRAY_WAITS=1"};
      SuiteOptions options = steadyOptions(1);
      options.isForking = isForking;
      options.leastSample = 0;
      options.sampleShare = 0;
      SuiteRan ran = runEntries({entry}, options);
      CHECK(ran.result.unforked.size() == !isForking);
      CHECK(ran.left.empty());
      for (auto &[name, outcome] : ran.outcomes) {
        CAPTURE(name);
        CAPTURE(outcome.output);
        CHECK(outcome.status == TestStatus::Passed);
      }
      CHECK(ran.outcomes["Stray.bAsks"].unmeasured ==
            "a process that an earlier test left behind may have been at work for it");
      if (!isLate)
        CHECK(ran.outcomes["Stray.aStarts"].unmeasured == "");
      CHECK(ran.outcomes["Stray.dOther"].unmeasured == ""); // it only sleeps then
    }
}

TEST_CASE("a suite: a test that leaves its group ends in time as well") {
  SuiteEntry entry = withFilter("Odd.leavesGroup");
  entry.timeout = std::chrono::milliseconds(500);
  SuiteRan ran = runEntries({entry});
  CHECK(ran.outcomes["Odd.leavesGroup"].status == TestStatus::TimedOut);
}

TEST_CASE("a suite: a test that ends its parent") {
  SuiteEntry entry = withFilter("Good.*:Odd.endsParent");
  entry.environment = {"SUITE_ENDS_PARENT=1"};
  for (bool isForking : {true, false}) {
    SuiteOptions options = steadyOptions();
    options.isForking = isForking;
    SuiteRan ran =
        runEntries({entry, entryOf("plain", {"/bin/sh", "-c", "kill -9 $PPID"})}, options);
    CHECK(ran.outcomes.size() == 9);
    for (const auto &[name, outcome] : ran.outcomes) {
      CAPTURE(name);
      bool isBad = name == "Odd.endsParent" || name == "plain";
      CHECK(outcome.status == (isBad ? TestStatus::Crashed : TestStatus::Passed));
      CHECK(outcome.unmeasured ==
            (isBad ? "the process that started it is gone: it may have ended its parent" : ""));
    }
  }
}

TEST_CASE("a suite: who ends the child that waits for the next test does not end that test") {
  SuiteEntry entry = withFilter("Good.*:Odd.endsSibling");
  entry.environment = {"SUITE_ENDS_SIBLING=1"};
  SuiteRan ran = runEntries({entry}, steadyOptions(1));
  CHECK(ran.result.unforked.empty());
  CHECK(ran.outcomes.size() == 8);
  for (const auto &[name, outcome] : ran.outcomes) {
    CAPTURE(name);
    CHECK(outcome.status == TestStatus::Passed);
    CHECK(outcome.unmeasured == "");
  }
}

TEST_CASE("a suite: a test that replaces the directory in which the next one runs") {
  TemporaryDirectory directory;
  std::string place = std::filesystem::canonical(directory.path());
  SuiteEntry entry = withFilter("Good.*:Odd.aReplacesDirectory:Odd.changesDirectory");
  entry.directory = place;
  entry.environment = {"SUITE_DIRECTORY=" + place};
  SuiteOptions options = steadyOptions(1);
  options.leastSample = 0; // once is enough
  options.sampleShare = 0;
  SuiteRan ran = runEntries({entry}, options);
  std::filesystem::remove_all(place + ".moved");
  CHECK(ran.result.unforked.empty());
  for (const char *test : {"Odd.aReplacesDirectory", "Odd.changesDirectory"}) {
    CAPTURE(test);
    CHECK(ran.outcomes[test].status == TestStatus::Passed);
    CHECK(ran.outcomes[test].wasForked);
  }
}

TEST_CASE("a suite: a test that writes what static initialisers read") {
  for (bool wasThere : {true, false}) {
    CAPTURE(wasThere);
    TemporaryDirectory directory;
    std::string place = std::filesystem::canonical(directory.path());
    if (wasThere)
      directory.write("setting", "as it was\n");
    SuiteEntry entry = withFilter("Good.one:Setting.*-*.bWritesAnother");
    entry.environment = {"SUITE_SETTING=" + place + "/setting"};
    SuiteOptions options = steadyOptions(1);
    options.leastSample = 0;
    options.sampleShare = 0;
    options.watched = WatchedPaths{{place}};
    SuiteRan ran = runEntries({entry}, options);
    CHECK(ran.result.unforked.empty());
    CHECK(ran.servers[kProgram] == 2); // one for each state of the file
    CHECK(ran.outcomes["Setting.reads"].status == TestStatus::Passed);
    CHECK(ran.outcomes["Setting.reads"].wasForked);
    // What the test read is what was there when the static initialiser read it.
    REQUIRE(ran.outcomes["Setting.aWrites"].end.files);
    FileUse read{wasThere ? FileUseKind::Read : FileUseKind::Missing, place + "/setting"};
    if (wasThere)
      read.content = fingerprintOf("as it was\n");
    CHECK(llvm::is_contained(ran.outcomes["Setting.aWrites"].end.files->files, read));
  }
}

TEST_CASE("a suite: a program whose starts differ is not forked") {
  TemporaryDirectory directory;
  std::string place = std::filesystem::canonical(directory.path());
  SuiteOptions options = steadyOptions(1);
  options.watched = WatchedPaths{{place}};
  SUBCASE("by what it writes, or makes when it is not there") {
    directory.write("starts", "5\n");
    std::filesystem::copy_file(THREAD_LIBRARY, place + "/binary");
    for (const char *setting :
         {"SUITE_STARTS=/starts", "SUITE_FIRST_START=/made", "SUITE_GROWS=/binary"}) {
      CAPTURE(std::string(setting));
      auto [variable, file] = llvm::StringRef(setting).split('=');
      SuiteEntry entry = withFilter("Good.*");
      entry.environment = {(variable + "=" + place + file).str()};
      SuiteRan ran = runEntries({entry}, options);
      REQUIRE(ran.result.unforked.size() == 1);
      CHECK(ran.result.unforked.front().reason ==
            "it changes files before main that it has looked at, so its starts differ");
    }
  }
  SUBCASE("by what each of its tests writes") {
    options.leastSample = 0;
    options.sampleShare = 0;
    SuiteEntry entry = withFilter("Setting.bWritesAnother");
    entry.environment = {"SUITE_SETTING=" + place + "/setting"};
    std::vector<SuiteEntry> entries;
    for (int i = 0; i < 8; ++i) { // the same test again and again, under settings of its own
      entries.push_back(entry);
      entries.back().name += std::to_string(i);
      entries.back().timeout = std::chrono::seconds(20 + i);
    }
    SuiteRan ran = runEntries(entries, options);
    REQUIRE(ran.result.unforked.size() == 1);
    CHECK(ran.result.unforked.front().reason == "its tests change files that it uses before main");
  }
}

TEST_CASE(
    "a suite: the end of a test is told before the next one begins, however late its news are") {
  TemporaryDirectory directory;
  const std::string file = directory / "written";
  std::vector<SuiteEntry> entries = {entryOf("first", {"/bin/true"}),
                                     entryOf("second", {"/bin/true"}),
                                     entryOf("writes", {"/usr/bin/touch", file})};
  SuiteOptions options = steadyOptions(1);
  options.directory = directory.path();
  std::vector<bool> isWritten;
  SuiteCallbacks callbacks;
  callbacks.onEnded = [&](TestOutcome &) { isWritten.push_back(std::filesystem::exists(file)); };
  callbacks.onFinished = [&](std::size_t, const TestOutcome &, const std::string &) {
    while (!std::filesystem::exists(file))
      std::this_thread::yield();
  };
  llvm::cantFail(runSuite(entries, findTests(entries), options, callbacks));
  CHECK(isWritten == std::vector{false, false, true});
}

TEST_CASE("a suite: a program that ignores the end of its children is not forked") {
  SuiteEntry entry = withFilter("Good.*:Bad.fails");
  entry.environment = {"SUITE_IGNORES_CHILDREN=1"};
  SuiteRan ran = runEntries({entry});
  REQUIRE(ran.result.unforked.size() == 1);
  CHECK(ran.result.unforked.front().reason ==
        "it ignores or handles SIGCHLD, so how its children end may not be told");
  CHECK(ran.outcomes["Bad.fails"].status == TestStatus::Failed);
}

TEST_CASE("a suite: what a test prints is kept up to a limit") {
  SuiteOptions options = steadyOptions(1);
  options.outputLimit = 1000;
  for (bool isForking : {true, false}) {
    options.isForking = isForking;
    SuiteRan ran = runEntries({withFilter("Odd.printsMuch")}, options);
    const TestOutcome &outcome = ran.outcomes["Odd.printsMuch"];
    CHECK(outcome.status == TestStatus::Passed);
    CHECK(outcome.unmeasured == ""); // the framework's last line is in what is kept
    CHECK(outcome.output.size() < 1100);
    CHECK(outcome.output.find("the beginning") != std::string::npos);
    CHECK(outcome.output.find(" bytes are left out here]") != std::string::npos);
    CHECK(outcome.output.find("the end") != std::string::npos);
  }
}

TEST_CASE("a suite: cancelled while a test hangs") {
  for (bool isForking : {true, false}) {
    SuiteOptions options = steadyOptions(1);
    options.isForking = isForking;
    options.leastSample = 0;
    options.sampleShare = 0;
    std::atomic<bool> isCancelled = false;
    options.isCancelled = &isCancelled;
    SuiteRan ran = runEntries({withFilter("Bad.fails:Bad.hangs:Good.*")}, options,
                              [&](const SuiteProgress &progress) {
                                if (llvm::is_contained(progress.running, "Bad.hangs"))
                                  isCancelled = true;
                              });
    CHECK(ran.result.wasCancelled);
    CHECK(ran.outcomes.count("Bad.fails") == 1);
    CHECK(ran.outcomes.count("Bad.hangs") == 0);
    CHECK(ran.outcomes.count("Good.one") == 0);
    CHECK(ran.left.empty());
  }
}

TEST_CASE("a suite: no place for its files") {
  SuiteOptions options;
  options.directory = "/proc/nowhere";
  auto result = runSuite({}, {}, options, {});
  REQUIRE(!result);
  CHECK(llvm::toString(result.takeError()).find("/proc/nowhere: no directory") == 0);
}
