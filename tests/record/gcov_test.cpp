#include "tests/cli/small_project.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>

using namespace retest;

namespace {

/// A project beside this file, recorded in a build by GCC.
struct GccProject {
  TemporaryDirectory directory;
  std::string root = directory / "project";
  std::string said;

  explicit GccProject(const std::string &source) {
    std::filesystem::copy(source, root, std::filesystem::copy_options::recursive);
    if (findProgram("ccache"))
      setenv("CMAKE_CXX_COMPILER_LAUNCHER", "ccache", 1);
    for (std::vector<std::string> command :
         {std::vector<std::string>{"init", "--gcc"}, std::vector<std::string>{"record"}}) {
      Outcome outcome = run(command);
      INFO(outcome.err);
      REQUIRE(outcome.code == 0);
      said = outcome.out;
    }
  }

  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", root});
    return runRetest(arguments);
  }

  /// The tests that `retest who` names, in one line.
  std::string who(const std::string &what) {
    Outcome outcome = run({"who", what});
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    llvm::SmallVector<llvm::StringRef, 16> lines;
    llvm::StringRef(outcome.out).split(lines, '\n', -1, false);
    return llvm::join(lines, "; ");
  }

  bool hasProfiles() const {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(root))
      if (entry.path().extension() == ".gcda")
        return true;
    return false;
  }
};

} // namespace

TEST_CASE("record: GCC and all frameworks") {
  GccProject project(RECORD_PROJECT);
  struct Row {
    const char *what, *tests;
  };
  const Row rows[] = {
      {"buildOnce",
       "boost_tests::lazy_one; boost_tests::lazy_three; boost_tests::lazy_two; "
       "catch2_tests::lazy, one; catch2_tests::lazy, three; catch2_tests::lazy, two; "
       "doctest_tests::lazy, one; doctest_tests::lazy, three; doctest_tests::lazy, two; "
       "googletest_tests::Lazy.One; googletest_tests::Lazy.Three; googletest_tests::Lazy.Two; "
       "googletest_tests::Typed/0.Size"},
      {"work", "boost_tests::in_thread; catch2_tests::thread; doctest_tests::thread; "
               "googletest_tests::Other.Thread"},
      {"answer", "boost_tests::in_shared; catch2_tests::shared; doctest_tests::shared; "
                 "googletest_tests::Other.Shared"},
      {"dies", "googletest_tests::Other.DeathTest; googletest_tests::Other.ThreadsafeDeathTest"},
      {"inSetUp", "boost_tests::suite/first; boost_tests::suite/second; "
                  "googletest_tests::Suite.First; googletest_tests::Suite.Second"},
      {"untouched", ""},
      {"habits.cpp:50", "boost_tests::side_true; catch2_tests::sides; doctest_tests::true; "
                        "googletest_tests::All/Values.Chosen/0; googletest_tests::Other.True"},
      {"habits.cpp:51", "boost_tests::side_false; catch2_tests::sides; doctest_tests::false; "
                        "googletest_tests::All/Values.Chosen/1; googletest_tests::Other.False"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(project.who(row.what) == row.tests);
  }
  INFO(project.said);
  CHECK(llvm::StringRef(project.said).contains("not measured, so always selected: 1\n"));
  CHECK(llvm::StringRef(project.said).contains("4 of 4 programs forked"));
  CHECK(!project.hasProfiles());
}

TEST_CASE("record: what is special about GCC's counters") {
  GccProject project(GCC_PROJECT);
  INFO(project.said);
  // It counts where it was compiled into.
  CHECK(project.who("always") == "inlined");
  // Optimised units do not count: whoever may call it.
  CHECK(project.who("optimised(int)") == "optimised");
  CHECK(project.who("pure") == "optimised");
  // A library whose file has another name than the one it is loaded by.
  CHECK(project.who("versioned") == "versioned");
  // Libraries that are loaded by hand.
  CHECK(project.who("inPlugin") == "plugin");
  // A child that ends by _exit is measured, one that is killed is not.
  CHECK(project.who("inChild") == "ends");
  CHECK(project.who("tool.cpp:12") == "ends");
  CHECK(project.who("tool.cpp:11") == "");
  CHECK(
      llvm::StringRef(project.said)
          .contains("not measured, so always selected: 1\n    kills: a process of it was killed"));
  CHECK(!project.hasProfiles());
}
