// Units that do not parse: a doubt each, and never the end of the run.
#include "graph/extract_project.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("errors: the first error is kept, and nothing of a broken unit is believed") {
  TemporaryDirectory made;
  made.write("bad.cpp",
             "int fine() { return 1; }\n\nint f() { return xyzzy; }\nint g() { also; }\n");
  const std::string &directory = made.path();
  Unit unit{"bad.cpp", {directory, directory + "/bad.cpp", "", {"clang++-19", "-c", "bad.cpp"}}};
  ExtractOptions options = llvm::cantFail(prepareExtraction({"", {unit}, {}}));
  ExtractedUnit result = extractUnit(unit, {directory, directory + "/build"}, options);
  CHECK(result.record.error == "bad.cpp:3:18: use of undeclared identifier 'xyzzy'");
  CHECK(result.record.graph.functions.empty());
  CHECK(result.record.graph.doubts.size() == 1);
  CHECK(!result.record.inputs.empty()); // so that it is tried again once they change
}

TEST_CASE("errors: a compiler that cannot be found is named, with the way out") {
  Unit unit{"a.cpp", {"/", "/a.cpp", "", {"no-such-compiler++", "-c", "a.cpp"}}};
  std::string text = llvm::toString(checkCompilers({"compile_commands.json", {unit}, {}}));
  CHECK(text.find("no-such-compiler++: compiler of a.cpp") == 0);
}
