#include "tests/run_command/run_copy.h"

#include "support/child_process.h"

#include <llvm/ADT/StringSet.h>

#include <csignal>
#include <thread>

using namespace retest;

namespace {

/// "3 of 13"; the time and what follows is left to whoever wants it.
std::string ran(const Outcome &outcome) {
  std::size_t end = outcome.out.find(" tests run in ");
  if (end == std::string::npos)
    return "no summary: " + outcome.out + outcome.err;
  std::size_t begin = outcome.out.rfind('\n', end);
  begin = begin == std::string::npos ? 0 : begin + 1;
  return outcome.out.substr(begin, end - begin);
}

/// The names of the tests in a JUnit file, sorted.
std::string namesIn(const std::string &xml) {
  std::vector<std::string> names;
  for (llvm::StringRef rest = xml; rest.contains("<testcase ");) {
    rest = rest.split("<testcase ").second;
    names.push_back(rest.split(" name=\"").second.split('"').first.str());
  }
  llvm::sort(names);
  return llvm::join(names, " ");
}

/// The tests that a run with these options runs, and its exit code if that is not 0.
std::string testsRun(const EditedCopy &copy, std::vector<std::string> options = {}) {
  std::string file = copy.path("build-retest/junit.xml");
  std::filesystem::remove(file);
  options.insert(options.begin(), {"run", "--junit", file});
  Outcome outcome = copy.run(options);
  std::string names = namesIn(copy.read("build-retest/junit.xml"));
  if (names.empty())
    names = "-";
  return outcome.code == 0 ? names : names + " exit " + std::to_string(outcome.code);
}

std::filesystem::file_time_type timeOf(const EditedCopy &copy, const std::string &file) {
  return std::filesystem::last_write_time(copy.path("build-retest/" + file));
}

} // namespace

TEST_CASE("run: nothing changed, so nothing is built and run") {
  const EditedCopy &calc = RunCopy::fresh();
  Outcome outcome = calc.run({"run"});
  CHECK(outcome.code == 0);
  CHECK(outcome.says("0 of 13 tests run in 0.00 s; 13 not run (not affected); 1 disabled"));
  CHECK_FALSE(outcome.warns("building"));
  CHECK(calc.run({"run", "--no-tests", "fail"}).code == 0); // nothing was selected
}

TEST_CASE("run: one branch, its tests, and only their programs are built") {
  const EditedCopy &calc = RunCopy::fresh();
  auto other = timeOf(calc, "other_test"), client = timeOf(calc, "client");
  {
    Edit same(calc, "calc.cpp", "return b + a;", "return a + b + 0;");
    Outcome outcome = calc.run({"run"});
    CHECK(outcome.code == 0);
    CHECK(ran(outcome) == "1 of 13");
    CHECK(outcome.says("1 passed; 12 not run (not affected)"));
    CHECK(outcome.warns("building calc_test of"));
  }
  Edit wrong(calc, "calc.cpp", "return b + a;", "return b + a + 1;");
  Outcome outcome = calc.run({"run"});
  CHECK(outcome.code == 1);
  CHECK(ran(outcome) == "1 of 13");
  CHECK(outcome.says("FAIL"));
  CHECK(outcome.says("calc_test::Add.Negative"));
  CHECK(outcome.says("Expected equality of these values")); // its output
  CHECK(timeOf(calc, "other_test") == other);
  CHECK(timeOf(calc, "client") == client);
}

TEST_CASE("run: a file in JUnit's form") {
  const EditedCopy &calc = RunCopy::fresh();
  Edit wrong(calc, "calc.cpp", "return b + a;", "return b + a + 1;");
  CHECK(testsRun(calc) == "Add.Negative exit 1");
  std::string xml = calc.read("build-retest/junit.xml");
  CHECK(xml.find("<testsuite name=\"calc_test\" tests=\"1\" failures=\"1\"") != std::string::npos);
  CHECK(xml.find("file=\"calc_test.cpp\" line=\"5\"") != std::string::npos);
  CHECK(testsRun(calc, {"--report-skipped"}).find("Other.Plain") != std::string::npos);
  CHECK(calc.run({"run", "--report-skipped"}).code == 2);
}

TEST_CASE("run: tests that only the built program can list") {
  const EditedCopy &calc = RunCopy::fresh();
  Edit more(calc, "calc_test.cpp", "testing::Values(1, 2)", "testing::Values(1, 2, 3)");
  std::string names = testsRun(calc);
  CHECK_MESSAGE(names.find("All/Halves.Twice/2") != std::string::npos, names);
  CHECK(names.find("Other") == std::string::npos);
}

TEST_CASE("run: a test that was renamed is new, and the old one is gone") {
  const EditedCopy &calc = RunCopy::fresh();
  Edit renamed(calc, "calc_test.cpp", "TEST(Subtract, Any)", "TEST(Subtract, Some)");
  CHECK(testsRun(calc) == "Subtract.Some");
  calc.succeed({"record"});
  CHECK(calc.run({"run"}).code == 0);
}

TEST_CASE("run: fixtures and dependencies come along") {
  const EditedCopy &calc = RunCopy::fresh();
  {
    Edit five(calc, "calc.cpp", "return 2;", "return 1 + 1;");
    CHECK(testsRun(calc) == "after down up uses"); // `after` depends on what is selected
  }
  calc.succeed({"record"});
  // `after` waits for `uses`, which needs the fixture
  Edit entry(calc, "CMakeLists.txt", "COMMAND client 7)", "COMMAND client 9)");
  CHECK(testsRun(calc) == "after down up uses");
}

TEST_CASE("run: a build that fails") {
  const EditedCopy &calc = RunCopy::fresh();
  Edit broken(calc, "calc.cpp", "return b + a;", "return b + ;");
  Outcome outcome = calc.run({"run"});
  CHECK(outcome.code == 5);
  CHECK(outcome.out.empty());
}

TEST_CASE("run: if it cannot be told, all tests, and why") {
  const EditedCopy &calc = RunCopy::fresh();
  std::filesystem::rename(calc.storePath(), calc.storePath() + ".away");
  Outcome outcome = calc.run({"run"});
  CHECK(outcome.code == 0);
  CHECK(ran(outcome) == "13 of 13");
  CHECK(outcome.warns("all tests, because"));
  CHECK(outcome.warns("recorded as baseline"));
  CHECK(calc.selected() == "-"); // it was a record
}

TEST_CASE("run: all, and the last failed") {
  const EditedCopy &calc = RunCopy::fresh();
  CHECK(testsRun(calc, {"--last-failed"}) == "-");
  CHECK(ran(calc.run({"run", "--all"})) == "13 of 13");
  {
    Variable broken("RUN_BROKEN", "1");
    CHECK(calc.run({"run", "--all"}).code == 1);
    CHECK(testsRun(calc, {"--last-failed"}) == "Other.Moody exit 1");
  }
  CHECK(testsRun(calc, {"--last-failed"}) == "Other.Moody");
  CHECK(testsRun(calc, {"--last-failed"}) == "-");
  CHECK(calc.run({"run", "--all", "--last-failed"}).code == 2);
}

TEST_CASE("run: a test that fails may run again, and is called flaky if it passes then") {
  const EditedCopy &calc = RunCopy::fresh();
  TemporaryDirectory elsewhere;
  Variable flaky("RUN_FLAKY", elsewhere / "was-here");
  Outcome outcome = calc.run({"run", "--all", "--retries", "2", "--junit", elsewhere / "x.xml"});
  INFO(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(outcome.says("13 passed (1 flaky)"));
  CHECK(outcome.says("flaky: other_test::Other.Flaky"));
  std::ostringstream xml;
  xml << std::ifstream(elsewhere / "x.xml").rdbuf();
  CHECK(xml.str().find("<flakyFailure") != std::string::npos);
  CHECK(xml.str().find("flaky &lt;&amp;&gt; red") != std::string::npos);
  // What was flaky is selected until it passes at once.
  CHECK(calc.selected() == "other_test::Other.Flaky");
  CHECK(testsRun(calc) == "Other.Flaky");

  Variable broken("RUN_BROKEN", "1");
  Outcome failing = calc.run({"run", "--all", "--retries", "1"});
  CHECK(failing.code == 1);
  CHECK(failing.says("(attempt 2 of 2)"));
}

TEST_CASE("run: shards are disjoint and have all") {
  const EditedCopy &calc = RunCopy::fresh();
  std::vector<std::string> all;
  // On one store, or on machines that have the same: none of them changes it.
  for (const char *shard : {"1/3", "2/3", "3/3"}) {
    std::string names = testsRun(calc, {"--all", "--shard", shard});
    llvm::SmallVector<llvm::StringRef, 16> parts;
    llvm::StringRef(names).split(parts, ' ');
    CHECK(parts.size() < 13);
    for (llvm::StringRef part : parts)
      if (part != "up" && part != "down" && part != "uses") // they come along
        all.push_back(part.str());
  }
  llvm::sort(all);
  CHECK(llvm::join(all, " ") ==
        "Add.Negative Add.Positive All/Halves.Twice/0 All/Halves.Twice/1 "
        "Other.Flaky Other.Moody Other.Plain Other.Slow Subtract.Any after");
  for (const char *wrong : {"0/3", "4/3", "1", "a/b"})
    CHECK(calc.run({"run", "--shard", wrong}).code == 2);
  // The baseline stays as it is, and yet who failed is selected.
  CHECK(calc.selected() == "-");
  {
    Variable broken("RUN_BROKEN", "1");
    CHECK(calc.run({"run", "--all", "--shard", "1/1"}).code == 1);
  }
  CHECK(calc.selected() == "other_test::Other.Moody");
}

TEST_CASE("run: within a budget, and the rest is named and stays selected") {
  const EditedCopy &calc = RunCopy::fresh();
  {
    Variable slow("RUN_SLOW", "400");
    calc.succeed({"record"});
  }
  {
    Edit same(calc, "other_test.cpp", "std::atoi(time)", "0 + std::atoi(time)");
    Outcome outcome = calc.run({"run", "--budget", "300ms"});
    INFO(outcome.out);
    CHECK(outcome.code == 4); // the only one that is affected
    CHECK(outcome.says("other_test::Other.Slow: left by the budget"));
    CHECK(calc.selected() == "other_test::Other.Slow");
  }
  calc.succeed({"record"});
  {
    Variable slow("RUN_SLOW", "400");
    calc.succeed({"record"});
  }
  Outcome outcome = calc.run({"run", "-v", "--all", "--budget", "300ms"});
  INFO(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(outcome.says("left; what is affected of them is selected again next time: "));
  CHECK(outcome.says("other_test::Other.Slow: left by the budget"));
  CHECK(calc.run({"run", "--all", "--budget", "0s"}).code == 4);
  CHECK(calc.run({"run", "--all", "--budget", "0s", "--no-tests", "pass"}).code == 0);
  CHECK(calc.run({"run", "--budget", "soon"}).code == 2);
}

TEST_CASE("run: a test that takes too long is ended") {
  const EditedCopy &calc = RunCopy::fresh();
  Variable slow("RUN_SLOW", "60000");
  Outcome outcome = calc.run({"run", "--all", "--timeout", "1s"});
  CHECK(outcome.code == 1);
  CHECK(outcome.says("1 timed out"));
  // The limit is ours, not the project's: tests are not run in another way now.
  unsetenv("RUN_SLOW");
  CHECK(calc.selected() == "other_test::Other.Slow");
}

TEST_CASE("run: no test begins after a failure, if that is wanted") {
  const EditedCopy &calc = RunCopy::fresh();
  Variable broken("RUN_BROKEN", "1");
  Edit wrong(calc, "calc.cpp", "return b + a;",
             "return b + a + 1;"); // several fail: not the last alone
  Outcome outcome = calc.run({"run", "--all", "--fail-fast"});
  INFO(outcome.out);
  CHECK(outcome.code == 1);
  CHECK(ran(outcome) != "13 of 13");
  CHECK(outcome.says("not begun after a failure"));
}

TEST_CASE("run: what would be done") {
  const EditedCopy &calc = RunCopy::fresh();
  auto before = timeOf(calc, "calc_test");
  Edit wrong(calc, "calc.cpp", "return b + a;", "return b + a + 1;");
  for (const char *option : {"-n", "--dry-run"}) {
    Outcome outcome = calc.run({"run", option});
    CHECK(outcome.code == 0);
    CHECK(outcome.out == "calc_test::Add.Negative\n");
    CHECK(outcome.warns("would build calc_test"));
  }
  CHECK(timeOf(calc, "calc_test") == before);
}

TEST_CASE("run, record: what a build of everything leaves out is brought up to date") {
  std::vector<std::string> init;
  SUBCASE("with ninja") {}
  bool isAsked = true;
  SUBCASE("with make") { init = {"--", "-GUnix Makefiles"}; }
  SUBCASE("with make, where nobody has asked CMake for its targets") {
    init = {"--", "-GUnix Makefiles"};
    isAsked = false;
  }
  EditedCopy calc(PROJECT_DIRECTORY, init);
  if (!isAsked)
    std::filesystem::remove_all(calc.path("build-retest/.cmake"));
  // All its objects belong to another target.
  Edit tested(calc, "CMakeLists.txt", "add_executable(aside EXCLUDE_FROM_ALL aside.cpp)",
              "add_test(NAME aside COMMAND aside)\n"
              "add_library(core OBJECT EXCLUDE_FROM_ALL aside.cpp)\n"
              "add_library(result STATIC EXCLUDE_FROM_ALL result.cpp)\n"
              "add_executable(aside EXCLUDE_FROM_ALL $<TARGET_OBJECTS:core>)\n"
              "target_link_libraries(aside result) # here");
  calc.write("result.cpp", "int result() { return 0; }\n");
  calc.write("aside.cpp", "int result();\nint main() { return result(); }\n");
  calc.succeed({"select"}); // CMake runs
  calc.command({"cmake", "--build", "build-retest", "--target", "aside"});
  calc.succeed({"record"});
  {
    Edit wrong(calc, "aside.cpp", "return result();", "return 1;");
    CHECK(calc.run({"run", "--all"}).says("aside"));
    CHECK(calc.succeed({"record"}).find("1 failed") != std::string::npos);
  }
  CHECK(calc.succeed({"record"}).find("failed") == std::string::npos);
  {
    Edit other(calc, "CMakeLists.txt", "target_link_libraries(aside result) # here",
               "file(WRITE ${CMAKE_BINARY_DIR}/other.cpp \"int result() { return 1; }\")\n"
               "add_library(other STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/other.cpp)\n"
               "target_link_libraries(aside other)");
    calc.command({"cmake", "build-retest"});
    CHECK(calc.run({"record", "--no-build"}).code == 2); // it was not linked again
    CHECK(calc.succeed({"record"}).find("1 failed") != std::string::npos);
  }
}

TEST_CASE("record: with make, what is to be linked from other objects now is not up to date") {
  std::vector<std::string> init = {"--", "-GUnix Makefiles"};
  const char *older = "link.txt";
  std::vector<std::string> lines = {"STATIC calc.cpp extra.cpp", "blank client.cpp extra.cpp"};
  SUBCASE("named in the script") {}
  SUBCASE("named in a file of the script") {
    init.emplace_back("-DCMAKE_CXX_USE_RESPONSE_FILE_FOR_OBJECTS=ON");
    older = "build.make";
    lines.erase(lines.begin()); // scripts of archives name them all the same
  }
  EditedCopy calc(PROJECT_DIRECTORY, init);
  Edit more(calc, "CMakeLists.txt", "add_library(calc STATIC calc.cpp)",
            "add_library(calc STATIC calc.cpp extra.cpp)\n"
            "add_executable(blank client.cpp extra.cpp)\n"
            "target_link_libraries(blank PRIVATE calc)\n"
            "set_target_properties(blank PROPERTIES OUTPUT_NAME \"with blank\")");
  calc.write("extra.cpp", "int extra() { return 1; }\n");
  calc.succeed({"record"});
  for (const std::string &line : lines) {
    CAPTURE(line);
    Edit less(calc, "CMakeLists.txt", line, llvm::StringRef(line).drop_back(10).str());
    calc.command({"cmake", "build-retest"});
    Outcome outcome = calc.run({"record", "--no-build"});
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.warns(older), outcome.err);
    calc.command({"cmake", "--build", "build-retest"});
    CHECK(calc.run({"record", "--no-build"}).code == 0);
  }
}

TEST_CASE("run: without a build, programs must be as new as their sources") {
  const EditedCopy &calc = RunCopy::fresh();
  CHECK(ran(calc.run({"run", "--all", "--no-build"})) == "13 of 13");
  {
    Edit wrong(calc, "calc.cpp", "return b + a;", "return b + a + 1;");
    CHECK(calc.run({"run", "--no-build"}).code == 2);
  }
  calc.command({"cmake", "--build", "build-retest"});
  calc.command({"cmake", "-DCMAKE_CXX_FLAGS=-DOTHER", "build-retest"}); // no source is newer
  for (const char *command : {"run", "record"}) {
    Outcome outcome = calc.run({command, "--no-build"});
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.warns("command line changed for"), outcome.err);
  }
  calc.command({"cmake", "-DCMAKE_CXX_FLAGS=", "build-retest"});
}

TEST_CASE("run: interrupted, what ran is told, and the store is whole") {
  const EditedCopy &calc = RunCopy::fresh();
  Variable slow("RUN_SLOW", "60000");
  ChildCommand command{{RETEST_PROGRAM, "run", "--all", "--no-build"}, calc.path("")};
  auto child = ChildProcess::start(command);
  REQUIRE(!!child);
  // Until the slow test runs.
  auto isSleeping = [&] {
    for (const auto &process : std::filesystem::directory_iterator("/proc")) {
      std::error_code ignored;
      auto program = std::filesystem::read_symlink(process.path() / "exe", ignored);
      if (program == calc.path("build-retest/other_test") &&
          std::filesystem::exists(calc.path("build-retest/.retest")))
        return true;
    }
    return false;
  };
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!isSleeping() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  kill(child->id(), SIGINT);
  ChildEnd how = child->reap();
  CHECK(how.exitCode == 130);
  unsetenv("RUN_SLOW");
  CHECK(calc.run({"db", "check"}).code == 0);
  std::string selected = calc.selected();
  CHECK_MESSAGE((selected == "-" || selected.find("Other.Slow") != std::string::npos), selected);
}
