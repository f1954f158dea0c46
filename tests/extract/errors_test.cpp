// Units that do not parse: a doubt each, and never the end of the run.
#include "graph/extract_project.h"

#include <doctest/doctest.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

using namespace retest;

TEST_CASE("errors: the first error is kept, and nothing of a broken unit is believed") {
  llvm::SmallString<128> made;
  REQUIRE(!llvm::sys::fs::createUniqueDirectory("retest", made));
  std::string directory = made.str().str();
  std::error_code failed;
  llvm::raw_fd_ostream(directory + "/bad.cpp", failed)
      << "int fine() { return 1; }\n\nint f() { return xyzzy; }\nint g() { also; }\n";
  Unit unit{"bad.cpp", {directory, directory + "/bad.cpp", "", {"clang++-19", "-c", "bad.cpp"}}};
  ExtractOptions options = llvm::cantFail(prepareExtraction({"", {unit}, {}}));
  ExtractedUnit result = extractUnit(unit, {directory, directory + "/build"}, options);
  CHECK(result.record.error == "bad.cpp:3:18: use of undeclared identifier 'xyzzy'");
  CHECK(result.record.graph.functions.empty());
  CHECK(result.record.graph.doubts.size() == 1);
  CHECK(!result.record.inputs.empty()); // so that it is tried again once they change
  llvm::sys::fs::remove_directories(directory);
}

TEST_CASE("errors: a compiler that cannot be found is named, with the way out") {
  Unit unit{"a.cpp", {"/", "/a.cpp", "", {"no-such-compiler++", "-c", "a.cpp"}}};
  std::string text = llvm::toString(checkCompilers({"compile_commands.json", {unit}, {}}));
  CHECK(text.find("no-such-compiler++: compiler of a.cpp") == 0);
}
