#include "build/build_steps.h"

#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// "a -> b", "tree a -> b", "make b" and "opaque", with "; " between.
std::string read(const std::string &line) {
  std::string all;
  for (const BuildStep &step : stepsOf(line, "/b")) {
    std::string text = step.isOpaque ? "opaque" : "";
    for (const BuildCopy &copy : step.copies)
      text += (text.empty() ? "" : ", ") +
              (copy.from.empty() ? "make " + copy.to
                                 : (copy.isTree ? "tree " : "") + copy.from + " -> " + copy.to);
    all += (all.empty() ? "" : "; ") + text;
  }
  return all;
}

} // namespace

TEST_CASE("build steps: what is known of the project's commands") {
  struct Row {
    const char *line, *steps;
  };
  const Row rows[] = {
      {":", ""},
      {"cd /b && /usr/bin/cmake -E echo made", ""},
      {"cd /b/t && cmake -D TEST_EXECUTABLE=/b/t/x -P /usr/share/GoogleTestAddTests.cmake", ""},
      {"cmake -P /s/MyAddTests.cmake", "opaque"},
      {": > made.txt", "opaque"},
      {"cp -r a/. b/. to", "opaque"},
      // Beside the discovery of tests.
      {"cd /b && cmake -DTEST_EXECUTABLE=x -P GoogleTestAddTests.cmake && cd /b && sh gen.sh",
       "opaque"},
      {"cd /s && cmake -E copy a.txt /b/data", "/s/a.txt -> /b/data, /s/a.txt -> /b/data/a.txt"},
      {"cmake -E copy_if_different /s/a /s/b d/", "/s/a -> /b/d/a, /s/b -> /b/d/b"},
      {"cmake -E copy_directory /s/golden expected", "tree /s/golden -> /b/expected"},
      {"cmake -E make_directory x y", "make /b/x, make /b/y"},
      {"cp -rf \"/s/a b\" c", "/s/a b -> /b/c, /s/a b -> /b/c/a b"},
      {"cp --parents a/b c", "opaque"},
      {"cp -t c a b", "opaque"},
      {"cmake -E copy -t d a", "opaque"},
      {"cp /s/*.txt c", "opaque"},
      {"cp /s/a c > log", "opaque"},
      {"cp /s/a c || true", "opaque"},
      {"cp /s/a c; tool", "opaque"},
      {"tool /s/copy", "opaque"},
      {"cd /s/copy && tool", "opaque"},
      {"cmake -P script.cmake", "opaque"},
      {"cd $(pwd) && cp a b", "opaque; opaque"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.line);
    CHECK(read(row.line) == row.steps);
  }
}

TEST_CASE("build steps: a directory that is copied brings along what is in it") {
  TemporaryDirectory directory;
  directory.write("data/x", "");
  const std::string data = directory / "data";
  CHECK(read("cp -r " + data + " to") ==
        "tree " + data + " -> /b/to, tree " + data + " -> /b/to/data");
}
