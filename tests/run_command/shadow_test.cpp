#include "tests/run_command/run_copy.h"

using namespace retest;

TEST_CASE("shadow: all tests run, and what selection would have saved is told") {
  const EditedCopy &calc = RunCopy::fresh();
  Edit wrong(calc, "calc.cpp", "return b + a;", "return b + a + 1;");
  Outcome outcome = calc.run({"shadow"});
  INFO(outcome.out);
  CHECK(outcome.code == 1); // a test fails, which is what it is for
  CHECK(outcome.says("13 of 13 tests run"));
  CHECK(outcome.says("selection: 1 of 13 tests; it would have saved "));
  CHECK(outcome.says("outcomes that changed: 1 caught, 0 escaped"));
}

TEST_CASE("shadow: a test that selection skips and that ends otherwise is an escape") {
  const EditedCopy &calc = RunCopy::fresh();
  TemporaryDirectory elsewhere;
  std::string report = elsewhere / "report";
  {
    Edit same(calc, "calc.cpp", "return b + a;", "return b + a + 0;");
    Variable broken("RUN_BROKEN", "1"); // nobody can see it
    Outcome outcome = calc.run({"shadow", "--report", report});
    INFO(outcome.out);
    CHECK(outcome.code == 7);
    CHECK(outcome.says("0 caught, 1 escaped"));
    CHECK(outcome.says("    other_test::Other.Moody: failed"));
    CHECK(outcome.says("what is needed to look into it: " + report));
  }
  auto read = [&](const std::string &name) {
    std::ostringstream text;
    text << std::ifstream(report + "/" + name).rdbuf();
    return text.str();
  };
  CHECK(
      llvm::cantFail(llvm::json::parse(read("selection.json"))).getAsObject()->getString("kind") ==
      "subset");
  CHECK(read("delta.json").find("calc.cpp") != std::string::npos);
  CHECK(read("change.patch").find("+    return b + a + 0;") != std::string::npos);
  CHECK(read("escaped.txt").find("Other.Moody") != std::string::npos);
  CHECK(read("results.xml").find("Other.Moody") != std::string::npos);
}

TEST_CASE("shadow: a test that does not do the same each time is no escape") {
  const EditedCopy &calc = RunCopy::fresh();
  TemporaryDirectory elsewhere;
  Variable flaky("RUN_FLAKY", elsewhere / "was-here");
  Outcome outcome = calc.run({"shadow"});
  INFO(outcome.out);
  CHECK(outcome.code == 0);
  CHECK(outcome.says("0 caught, 0 escaped"));
  CHECK(outcome.says("not the same each time"));
  CHECK(outcome.says("other_test::Other.Flaky"));
}

TEST_CASE("stats: what the runs of a store add up to") {
  const EditedCopy calc(PROJECT_DIRECTORY);
  Outcome nothing = calc.run({"stats"});
  CHECK(nothing.code == 0);
  CHECK(nothing.warns("nothing is known yet"));
  {
    Edit wrong(calc, "calc.cpp", "return b + a;", "return b + a + 1;");
    CHECK(calc.run({"run"}).code == 1);
  }
  calc.succeed({"record"});
  calc.succeed({"shadow"});
  std::string text = calc.succeed({"stats"});
  INFO(text);
  CHECK(text.find("runs      1: 1 of a part of the tests") != std::string::npos);
  CHECK(text.find("tests     1 of 13 ran (7.7 %); 1 failed") != std::string::npos);
  CHECK(text.find("shadow    1 run: 0 of 13 tests were selected") != std::string::npos);
  CHECK(text.find("statement        1 test in 1 run") != std::string::npos);
  auto json = llvm::cantFail(llvm::json::parse(calc.succeed({"stats", "--json"})));
  CHECK(json.getAsObject()->getObject("runs")->getInteger("failed") == 1);
}
