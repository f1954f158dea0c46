#include "build/other_language.h"
#include "cli/program_plan.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace retest;

TEST_CASE("program plan: an object that is no unit is known by its content, or by its source's") {
  TemporaryDirectory directory;
  ProjectPaths paths{directory.path(), directory / "build"};
  directory.write("fast.S", "nop\n");
  directory.write("build/fast.o", "made from nop");
  directory.write("prebuilt.o", "code");
  CompileCommand command{paths.build, directory / "fast.S", directory / "build/fast.o", {"cc"}};
  LinkPlan links;
  links.binaries = {{"<build>/tool",
                     BinaryKind::Executable,
                     {{LinkInput::Kind::Unit, "main.cpp"},
                      {LinkInput::Kind::Object, "<build>/fast.o", command},
                      {LinkInput::Kind::Object, "prebuilt.o"},
                      {LinkInput::Kind::Object, "<build>/later.o"},
                      {LinkInput::Kind::External, "-lz"}},
                     {}}};
  auto contents = [&] {
    Names names;
    std::vector<Fingerprint> contents;
    ProgramPlan plan = programPlanOf(links, paths, names);
    for (const ProgramInput &input : plan.binaries.front().inputs)
      contents.push_back(input.content);
    return contents;
  };
  const std::vector<Fingerprint> before = contents();
  const Fingerprint none;
  CHECK(before ==
        std::vector{none, contentOfSources(command, paths), fingerprintOf("code"), none, none});
  CHECK(before[1] != none);

  directory.write("build/fast.o", "made from nop, elsewhere");
  CHECK(contents() == before);
  directory.write("fast.S", "ret\n");
  CHECK(contents()[1] != before[1]);
  std::filesystem::remove(directory / "fast.S");
  CHECK(contents()[1] == none);
  directory.write("prebuilt.o", "other code");
  CHECK(contents()[2] != before[2]);
  directory.write("build/later.o", "code");
  CHECK(contents()[3] != none);
}
