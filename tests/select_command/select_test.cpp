#include "tests/select_command/edited_copy.h"

using namespace retest;

namespace {

/// Recorded once; each test case leaves the tree as it was.
const EditedCopy &calc() {
  static const EditedCopy copy(PROJECT_DIRECTORY);
  return copy;
}

const std::string kAll = "calc_test::Add.Negative calc_test::Add.Positive calc_test::Data.Missing "
                         "calc_test::Data.Read calc_test::Subtract.Any tool_add tool_nothing";

} // namespace

TEST_CASE("select: nothing has changed, or nothing that matters") {
  CHECK(calc().selected() == "-");
  Edit comment(calc(), "calc.cpp", "if (a < 0)", "if (a < 0) // below\n");
  CHECK(calc().selected() == "-");
  llvm::json::Object answer = calc().json();
  CHECK(answer.getString("kind") == "none");
  CHECK(answer.get("reason")->getAsNull().has_value());
  CHECK(answer.getInteger("total") == 8);
  CHECK(answer.getArray("selected")->empty());
  CHECK(answer.getArray("skipped")->size() == 7);
  CHECK(answer.getArray("disabled")->size() == 1);
  CHECK(calc().run({"select", "--detailed-exit-code"}).code == 0);
}

TEST_CASE("select: one branch, and the tests that take it") {
  Edit branch(calc(), "calc.cpp", "return b + a;", "return b + a + 1;");
  CHECK(calc().selected() == "calc_test::Add.Negative");
  CHECK(calc().selected({"--granularity", "functions"}) ==
        "calc_test::Add.Negative calc_test::Add.Positive tool_add");
  llvm::json::Object answer = calc().json();
  CHECK(answer.getString("kind") == "subset");
  const llvm::json::Object *test = answer.getArray("selected")->front().getAsObject();
  CHECK(test->getString("id") == "calc_test::Add.Negative");
  CHECK(test->getString("name") == "Add.Negative");
  CHECK(test->getString("binary") == "<build>/calc_test");
  CHECK(test->getString("framework") == "gtest");
  CHECK(test->getString("verdict") == "affected");
  const llvm::json::Object *reason = test->getArray("reasons")->front().getAsObject();
  CHECK(reason->getString("rule") == "statement");
  CHECK(reason->getString("change") == "calc.cpp:5");
  CHECK(reason->getString("edge").value_or("").str() == "a < 0 -T-> b + a");
  CHECK(calc().run({"select"}).warns("1 of 7 tests selected (1 affected); 6 skipped; 1 disabled"));
}

TEST_CASE("record --no-build: programs that are older than the source are refused") {
  calc().succeed({"record", "--name", "again"});
  calc().succeed({"record", "--no-build", "--name", "again"});
  Edit branch(calc(), "calc.cpp", "return b + a;", "return b + a + 1;");
  Outcome old = calc().run({"record", "--no-build"});
  CHECK(old.code == 2);
  CHECK(old.warns("calc.cpp.o older than most recent input"));
  CHECK(calc().selected() == "calc_test::Add.Negative");
}

TEST_CASE("explain: from the change to the test, and back") {
  Edit branch(calc(), "calc.cpp", "return b + a;", "return b + a + 1;");
  calc().selected();
  std::string selected = calc().succeed({"explain", "Add.Negative"});
  for (const char *part :
       {"calc_test::Add.Negative is selected: affected", "code changed at calc.cpp:5",
        "add(int, int): a < 0 -T-> b + a", "return b + a + 1;"})
    CHECK_MESSAGE(selected.find(part) != std::string::npos, part, "\n", selected);
  std::string near = calc().succeed({"explain", "--why-not", "Add.Positive"});
  CHECK(near.find("is skipped: it crosses no dangerous edge") != std::string::npos);
  CHECK(near.find("came near, but went another way") != std::string::npos);
  CHECK(near.find("a < 0 -T-> b + a") != std::string::npos);
  std::string beside = calc().succeed({"explain", "Subtract.Any"});
  CHECK_MESSAGE(beside.find("nearest it enters subtract(int, int) at calc.cpp:9, 4 lines from the "
                            "change in add(int, int)") != std::string::npos,
                beside);
  std::string elsewhere = calc().succeed({"explain", "tool_nothing"});
  CHECK(elsewhere.find("enters no function") != std::string::npos);
  CHECK(elsewhere.find("nearest") == std::string::npos);
  CHECK(calc().succeed({"explain", "tool_off"}).find("is disabled") != std::string::npos);
  CHECK(calc().succeed({"explain", "--change", "calc.cpp:5"}).find("calc_test::Add.Negative") !=
        std::string::npos);
  CHECK(calc().succeed({"explain", "--change", "calc.cpp:9"}).find("on line 5") !=
        std::string::npos);
  CHECK(calc().run({"explain", "Add.Negativ"}).warns("did you mean calc_test::Add.Negative"));
  CHECK(calc().run({"explain", "Add.Negativ"}).code == 2);
  CHECK(calc().run({"explain"}).code == 2);
}

TEST_CASE("explain: where the text is the same, what was edited elsewhere") {
  Edit value(calc(), "calc.h", "STEP 1", "STEP 2");
  CHECK(calc().selected() == "tool_add");
  std::string selected = calc().succeed({"explain", "tool_add"});
  for (const char *part : {"code changed at tool.cpp:3, by the edit of calc.h:7",
                           "-      7 #define STEP 1\n", "+      7 #define STEP 2\n"})
    CHECK_MESSAGE(selected.find(part) != std::string::npos, part, "\n", selected);
  CHECK(calc().succeed({"explain", "--change", "calc.h:7"}).find("test   tool_add") !=
        std::string::npos);
  CHECK(calc().succeed({"explain", "--change", "calc.h:3"}).find("on line 7") != std::string::npos);
}

TEST_CASE("select: from any directory, staged or committed, and without git") {
  Edit branch(calc(), "calc.cpp", "return b + a;", "return b + a + 1;");
  std::filesystem::create_directory(calc().path("sub"));
  CHECK(runRetest({"-C", calc().path("sub"), "select"}).out == "calc_test::Add.Negative\n");
  calc().git({"add", "calc.cpp"});
  CHECK(calc().selected() == "calc_test::Add.Negative");
  calc().git({"commit", "-q", "-m", "second"});
  CHECK(calc().selected() == "calc_test::Add.Negative");
  calc().git({"checkout", "-q", "--detach"});
  CHECK(calc().selected() == "calc_test::Add.Negative");
  calc().git({"checkout", "-q", "main"});
  std::filesystem::rename(calc().path(".git"), calc().path("hidden"));
  CHECK(calc().selected() == "calc_test::Add.Negative");
  std::filesystem::rename(calc().path("hidden"), calc().path(".git"));
  calc().git({"reset", "-q", "--soft", "HEAD~1"});
}

TEST_CASE("select: files that tests read, and such as they do not find") {
  {
    Edit data(calc(), "data.txt", "some", "other");
    CHECK(calc().selected() == "calc_test::Data.Read");
    CHECK(calc().run({"select", "-f", "text"}).says("reads data.txt, which changed"));
  }
  calc().write("missing.txt", "");
  CHECK(calc().selected() == "calc_test::Data.Missing");
  std::filesystem::remove(calc().path("missing.txt"));
  CHECK(calc().selected() == "-");
}

TEST_CASE("select: the build description is read again if it changed") {
  {
    Edit entry(calc(), "CMakeLists.txt", "COMMAND tool add)", "COMMAND tool add more)");
    CHECK(calc().selected() == "tool_add");
  }
  {
    Edit flags(calc(), "CMakeLists.txt", "target_link_libraries(tool",
               "target_compile_options(tool PRIVATE -ffast-math)\ntarget_link_libraries(tool");
    CHECK(calc().selected() == "tool_add tool_nothing");
  }
  {
    Edit broken(calc(), "CMakeLists.txt", "enable_testing()", "no_such_command()");
    CHECK(calc().selected() == kAll);
    llvm::json::Object answer = calc().json();
    CHECK(answer.getString("kind") == "all");
    CHECK(answer.getString("reason")->contains("cannot be configured again"));
    CHECK(calc().run({"select", "--detailed-exit-code"}).code == 11);
  }
  CHECK(calc().selected() == "-");
}

TEST_CASE("select: what is linked, and with which flags") {
  {
    Edit flags(calc(), "CMakeLists.txt", "target_link_libraries(tool",
               "target_link_options(tool PRIVATE -Wl,-z,now)\ntarget_link_libraries(tool");
    CHECK(calc().selected() == "tool_add tool_nothing");
    CHECK(calc().run({"select", "-f", "text"}).says("link flags of <build>/tool"));
  }
  calc().makeLibrary("int extra() { return 2; }");
  CHECK(calc().selected() == "tool_add tool_nothing");
  CHECK(calc().run({"select", "-f", "text"}).says("libextra.a"));
  calc().makeLibrary("int extra() { return 1; }");
  CHECK(calc().selected() == "-");
  setenv("LD_LIBRARY_PATH", "/no/such/directory", 1); // finds the same libraries
  CHECK(calc().selected() == "-");
  unsetenv("LD_LIBRARY_PATH");
}

TEST_CASE("select: tests that are new, by their registration and by CTest") {
  {
    Edit test(calc(), "calc_test.cpp", "TEST(Subtract, Any)",
              "TEST(Subtract, None) {}\nTEST(Subtract, Any)");
    CHECK(calc().selected() == "calc_test::Subtract.None");
    llvm::json::Object answer = calc().json();
    const llvm::json::Object *added = answer.getArray("selected")->front().getAsObject();
    CHECK(added->getString("verdict") == "new");
    CHECK(added->getString("framework") == "gtest");
    CHECK(calc().run({"explain", "Subtract.None"}).says("calc_test.cpp:8 makes it known"));
  }
  {
    Edit renamed(calc(), "calc_test.cpp", "TEST(Subtract, Any)", "TEST(Subtract, Some)");
    CHECK(calc().selected() == "calc_test::Subtract.Any calc_test::Subtract.Some");
  }
  {
    Edit many(calc(), "calc_test.cpp", "TEST(Subtract, Any)",
              "struct P : testing::TestWithParam<int> {};\nTEST_P(P, a) {}\n"
              "INSTANTIATE_TEST_SUITE_P(I, P, testing::Values(1, 2));\nTEST(Subtract, Any)");
    CHECK(calc().run({"select", "-f", "text"}).says("only the built program can list"));
  }
  {
    Edit entry(calc(), "CMakeLists.txt", "add_test(NAME tool_nothing",
               "add_test(NAME tool_more COMMAND tool more)\nadd_test(NAME tool_nothing");
    CHECK(calc().selected() == "tool_more");
  }
  CHECK(calc().selected() == "-");
}

TEST_CASE("select: a list for xargs -0") {
  Edit function(calc(), "calc.cpp", "a + b", "b + a");
  std::string lines = calc().succeed({"select", "-f", "list"});
  std::string zeros = calc().succeed({"select", "-0"});
  CHECK(!zeros.empty());
  std::replace(zeros.begin(), zeros.end(), '\0', '\n');
  CHECK(zeros == lines);
  CHECK(calc().run({"select", "-0", "-f", "json"}).code == 2);
}

TEST_CASE("select: changed code that no test reaches is told") {
  Edit function(calc(), "unused.cpp", "return a;", "return a + 1;");
  llvm::json::Object answer = calc().json();
  CHECK(answer.getString("kind") == "none");
  const llvm::json::Array *uncovered = answer.getArray("uncovered");
  REQUIRE(uncovered->size() == 1);
  CHECK(uncovered->front().getAsObject()->getString("function").value_or("").str() ==
        "unused(int)");
  CHECK(uncovered->front().getAsObject()->getString("path") == "unused.cpp");
  CHECK(uncovered->front().getAsObject()->getInteger("line") == 3);
  Edit added(calc(), "calc.cpp", "int add(", "int nobody(int a) { return a; }\nint add(");
  llvm::json::Object more = calc().json();
  CHECK(more.getArray("uncovered")->size() == 2);
}

TEST_CASE("select: conflict markers, a deleted source, a rename of everything") {
  {
    Edit conflict(calc(), "calc.cpp", "  if (a < 0)", "<<<<<<< ours\n  if (a < 0)");
    CHECK(calc().selected() == kAll);
    CHECK(calc().json().getArray("doubts")->size() >= 1);
  }
  std::filesystem::rename(calc().path("calc.cpp"), calc().path("calc.hidden"));
  CHECK(calc().selected() == kAll);
  CHECK(calc().json().getString("reason")->contains("calc.cpp"));
  std::filesystem::rename(calc().path("calc.hidden"), calc().path("other.cpp"));
  {
    Edit renamed(calc(), "CMakeLists.txt", " calc.cpp ", " other.cpp ");
    CHECK(calc().selected() == "-");
  }
  std::filesystem::rename(calc().path("other.cpp"), calc().path("calc.cpp"));
  CHECK(calc().selected() == "-");
}

TEST_CASE("select: which baseline") {
  Edit branch(calc(), "calc.cpp", "return b + a;", "return b + a + 1;");
  CHECK(calc().selected({"--base", "HEAD"}) == "calc_test::Add.Negative");
  CHECK(calc().selected({"--base", "main"}) == "calc_test::Add.Negative");
  Outcome unknown = calc().run({"select", "--base", "no-such-thing"});
  CHECK(unknown.code == 2);
  CHECK(unknown.warns("no-such-thing"));

  calc().git({"checkout", "-q", "--orphan", "other"});
  calc().git({"commit", "-q", "-m", "unrelated"});
  Outcome unrelated = calc().run({"select"});
  CHECK(unrelated.out == "calc_test::Add.Negative\n");
  CHECK(unrelated.warns("no baseline is in the history of HEAD"));
  calc().git({"checkout", "-q", "main"});
}

TEST_CASE("select: without a baseline all tests, and why") {
  std::filesystem::rename(calc().storePath(), calc().storePath() + ".away");
  auto expectAll = [&](const std::string &why) {
    CAPTURE(why);
    Outcome json = calc().run({"select", "-f", "json"});
    CHECK(json.code == 0);
    llvm::json::Value value = llvm::cantFail(llvm::json::parse(json.out));
    const llvm::json::Object &answer = *value.getAsObject();
    CHECK(answer.getString("kind") == "all");
    CHECK_MESSAGE(answer.getString("reason")->contains(why), answer.getString("reason")->str());
    CHECK(answer.get("total")->getAsNull().has_value());
    CHECK(calc().run({"select", "-f", "json", "--detailed-exit-code"}).code == 11);
    Outcome list = calc().run({"select", "-f", "list"});
    CHECK(list.code == 3);
    CHECK(list.out.empty());
    Outcome strict = calc().run({"select", "-f", "json", "--strict"});
    CHECK(strict.code == 6);
    CHECK(strict.out.empty());
  };
  expectAll("retest.db");
  calc().write("build-retest/.retest/retest.db", "this is not a database, but it is long enough");
  expectAll("retest.db");
  std::filesystem::remove(calc().storePath());
  calc().succeed({"record", "--graph-only"});
  expectAll("no tests were recorded");
  std::filesystem::remove(calc().storePath());
  std::filesystem::rename(calc().storePath() + ".away", calc().storePath());
  CHECK(calc().selected() == "-");
}

TEST_CASE("select: a store that was recorded in another directory") {
  TemporaryDirectory elsewhere;
  std::string there = elsewhere / "checkout";
  std::filesystem::copy(PROJECT_DIRECTORY, there, std::filesystem::copy_options::recursive);
  REQUIRE(runRetest({"-C", there, "init", "--", "-DEXTRA=" + calc().library()}).code == 0);
  setenv("RETEST_STORE", calc().storePath().c_str(), 1);
  Outcome same = runRetest({"-C", there, "select", "-f", "list"});
  CHECK(same.out.empty());
  CHECK(same.code == 0);
  INFO(same.err);
  std::ofstream(there + "/calc.cpp", std::ios::app) << "int more() { return 1; }\n";
  std::string text = calc().read("calc.cpp");
  std::ofstream(there + "/calc.cpp") << text.replace(text.find("b + a"), 5, "b - a");
  CHECK(runRetest({"-C", there, "select", "-f", "list"}).out == "calc_test::Add.Negative\n");
  unsetenv("RETEST_STORE");
}

TEST_CASE("select: a shallow clone, which does not have the commit of the baseline") {
  TemporaryDirectory elsewhere;
  std::string there = elsewhere / "clone";
  calc().git({"commit", "-q", "--allow-empty", "-m", "later"});
  calc().git({"clone", "-q", "--depth", "1", "file://" + calc().path("."), there});
  REQUIRE(runRetest({"-C", there, "init", "--", "-DEXTRA=" + calc().library()}).code == 0);
  setenv("RETEST_STORE", calc().storePath().c_str(), 1);
  CHECK(runRetest({"-C", there, "select", "-f", "list"}).out.empty());
  std::string text = calc().read("calc.cpp");
  std::ofstream(there + "/calc.cpp") << text.replace(text.find("b + a"), 5, "b - a");
  Outcome edited = runRetest({"-C", there, "select", "-f", "list"});
  CHECK(edited.out == "calc_test::Add.Negative\n");
  CHECK(edited.warns("no baseline is in the history of HEAD"));
  unsetenv("RETEST_STORE");
  calc().git({"reset", "-q", "--soft", "HEAD~1"});
}

TEST_CASE("select: the example of the paper") {
  const EditedCopy avg(EXAMPLES "/avg");
  CHECK(avg.selected() == "-");
  Edit message(avg, "avg.cpp", "return kError;", "return std::puts(\"negative\"), kError;");
  CHECK(avg.selected() == "t2");
  Edit counting(avg, "avg.cpp", "count++;", "");
  CHECK(avg.selected() == "t2 t3");
}
