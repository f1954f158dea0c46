#include "tests/select_command/edited_copy.h"

#include <fcntl.h>

using namespace retest;

namespace {

/// A program of one unit with one test, built by a compiler of its own: a script.
class Tiny {
public:
  explicit Tiny(const std::string &tests = "add_test(NAME only COMMAND tiny)\n") {
    directory_.write("project/main.cpp", "int main() { return 0; }\n");
    directory_.write("project/CMakeLists.txt",
                     "cmake_minimum_required(VERSION 3.20)\nproject(tiny CXX)\nenable_testing()\n"
                     "add_executable(tiny main.cpp)\n" +
                         tests);
    setCompiler("first");
    succeed({"init", "--", "-DCMAKE_CXX_COMPILER=" + (directory_ / "compiler/clang++")});
    recorded = run({"record"});
  }

  Outcome recorded;

  void setCompiler(const std::string &comment) const {
    std::string path = directory_.write("compiler/clang++",
                                        "#!/bin/sh\n# " + comment + "\nexec clang++-19 \"$@\"\n");
    std::filesystem::permissions(path, std::filesystem::perms::all);
  }
  std::string store() const { return directory_ / "project/build-retest/.retest/retest.db"; }

  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-C", directory_ / "project"});
    return runRetest(arguments);
  }
  std::string succeed(const std::vector<std::string> &arguments) const {
    Outcome outcome = run(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return outcome.out;
  }
  llvm::json::Object json() const {
    return std::move(
        *llvm::cantFail(llvm::json::parse(succeed({"select", "-f", "json"}))).getAsObject());
  }

private:
  TemporaryDirectory directory_;
};

/// Another store than the project's own, as long as this lives.
class OtherStore {
public:
  explicit OtherStore(const std::string &path) { setenv("RETEST_STORE", path.c_str(), 1); }
  OtherStore(const OtherStore &) = delete;
  OtherStore &operator=(const OtherStore &) = delete;
  ~OtherStore() { unsetenv("RETEST_STORE"); }
};

/// Where SQLite keeps `user_version`, big-endian.
constexpr off_t kUserVersion = 60;

} // namespace

TEST_CASE("never silently wrong: a store of a newer version") {
  Tiny tiny;
  TemporaryDirectory directory;
  std::string store = directory / "newer.db";
  std::filesystem::copy_file(tiny.store(), store);
  int file = ::open(store.c_str(), O_RDWR);
  const char version[4] = {0, 0, 0, 99};
  REQUIRE(::pwrite(file, version, sizeof version, kUserVersion) == sizeof version);
  ::close(file);

  OtherStore other(store);
  llvm::json::Object answer = tiny.json();
  CHECK(answer.getString("kind") == "all");
  CHECK(answer.getString("reason")->contains("written by a newer retest"));
  CHECK(answer.get("total")->getAsNull().has_value());
}

TEST_CASE("never silently wrong: a store of another project") {
  EditedCopy calc(PROJECT_DIRECTORY);
  Tiny tiny;
  OtherStore other(tiny.store());
  // What it knows is one test, of a program that is not here; all tests that are here are new.
  llvm::json::Object answer = calc.json();
  CHECK(answer.getString("kind") == "all");
  CHECK(answer.getArray("skipped")->empty());
  std::string ids;
  for (const llvm::json::Value &test : *answer.getArray("selected"))
    ids += test.getAsObject()->getString("id")->str() + " ";
  for (const char *id : {"calc_test::Add.Negative", "calc_test::Data.Read", "tool_add"})
    CHECK_MESSAGE(ids.find(id) != std::string::npos, ids);
}

TEST_CASE("never silently wrong: no test that could be recorded, or none that was measured") {
  Tiny none("");
  CHECK(none.recorded.code == 3);
  CHECK(none.recorded.warns("no tests found"));
  llvm::json::Object answer = none.json();
  CHECK(answer.getString("kind") == "all");
  CHECK(answer.get("total")->getAsNull().has_value());

  Tiny killed("add_test(NAME only COMMAND sh -c \"kill -9 $$\")\n");
  CHECK(killed.recorded.code == 0);
  answer = killed.json();
  CHECK(answer.getString("kind") == "all");
  REQUIRE(answer.getArray("selected")->size() == 1);
  CHECK(answer.getArray("selected")->front().getAsObject()->getString("verdict") == "unmeasured");
}

TEST_CASE("never silently wrong: a test that reads a program, and does not run it") {
  Tiny reads("add_test(NAME only COMMAND sh -c \"grep -q main tiny\")\n");
  llvm::json::Object answer = reads.json();
  REQUIRE(answer.getArray("selected")->size() == 1);
  CHECK(answer.getArray("selected")->front().getAsObject()->getString("verdict") == "unmeasured");
}

TEST_CASE("never silently wrong: a baseline of another compiler") {
  Tiny tiny;
  CHECK(tiny.json().getString("kind") == "none");
  tiny.setCompiler("second");
  llvm::json::Object answer = tiny.json();
  CHECK(answer.getString("kind") == "all");
  const llvm::json::Object *test = answer.getArray("selected")->front().getAsObject();
  CHECK(test->getArray("reasons")->front().getAsObject()->getString("rule") == "environment");
}
