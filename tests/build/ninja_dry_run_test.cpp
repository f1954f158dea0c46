#include "build/ninja_dry_run.h"

#include "support/process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace retest;

namespace {

/// A program of two objects, one of them in a language of its own, and what a build makes first.
class SmallBuild {
public:
  SmallBuild() {
    for (const char *name : {"a.c", "b.s", "template.h", "lists.txt", "cmake.verify_globs"})
      directory_.write(name, "1");
    write("-O1");
    llvm::Expected<ProcessResult> built =
        runProcess({.arguments = {"ninja"}, .directory = directory_.path()});
    REQUIRE(!!built);
    REQUIRE_MESSAGE(built->succeeded(), built->output);
  }

  void write(const std::string &flags, const std::string &more = "") {
    directory_.write("build.ninja", "rule make\n"
                                    "  command = cat $in >$out && true $flags\n"
                                    "rule never\n"
                                    "  command = true\n"
                                    "rule describe\n"
                                    "  command = true\n"
                                    "  generator = 1\n"
                                    "build build.ninja: describe cmake.verify_globs | lists.txt\n"
                                    "rule look\n"
                                    "  command = true\n"
                                    "  restat = 1\n"
                                    "build cmake.verify_globs: look each_time\n"
                                    "build each_time: phony\n"
                                    "build stamp: never\n"
                                    "build made.h: make template.h || stamp\n"
                                    "build a.o: make a.c | made.h\n"
                                    "  flags = " +
                                        flags + "\nbuild b.o: make b.s\nbuild app: make a.o b.o" +
                                        more + "\ndefault app\n");
  }
  void edit(const std::string &name) {
    directory_.write(name, "2");
    std::filesystem::last_write_time(
        directory_ / name, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  }
  void remove(const std::string &name) { std::filesystem::remove(directory_ / name); }

  std::string why() const { return whyOutdated("ninja", directory_.path(), {directory_ / "app"}); }
  bool says(const std::string &text) const { return why().find(text) != std::string::npos; }

private:
  TemporaryDirectory directory_;
};

} // namespace

TEST_CASE("ninja dry run: a step that runs each time does not make a build outdated") {
  SmallBuild build;
  CHECK(build.why().empty());
}

TEST_CASE("ninja dry run: why a program is outdated") {
  SmallBuild build;
  SUBCASE("other flags") {
    build.write("-O2");
    CHECK(build.says("command line changed for a.o"));
  }
  SUBCASE("a source of any language") {
    build.edit("b.s");
    CHECK(build.says("older than most recent input b.s"));
  }
  SUBCASE("what a generated header is made from") {
    build.edit("template.h");
    CHECK(build.says("older than most recent input template.h"));
  }
  SUBCASE("an object that is gone") {
    build.remove("b.o");
    CHECK(build.says("output b.o doesn't exist"));
  }
  SUBCASE("the program is not there") {
    build.remove("app");
    CHECK(build.says("output app doesn't exist"));
  }
  SUBCASE("what the description is made from") {
    build.edit("lists.txt");
    CHECK(build.says("build.ninja older than lists.txt"));
  }
  SUBCASE("what the description was made from is gone") {
    build.remove("lists.txt");
    CHECK(build.says("build.ninja is made from lists.txt, which is gone"));
  }
  SUBCASE("a source that is gone") {
    build.remove("a.c");
    CHECK(build.says("'a.c', needed by 'a.o', missing"));
  }
  SUBCASE("linked with more") {
    build.write("-O1", " made.h");
    CHECK(build.says("command line changed for app"));
  }
}
