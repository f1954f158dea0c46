#include "build/bazel.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("files that tell Bazel what to do") {
  for (const char *path : {"BUILD", "a/BUILD.bazel", "third_party/zlib.BUILD", "rules/defs.bzl",
                           "rules/defs.scl", "third_party/BUILD.zlib", "tools/bazel", "WORKSPACE",
                           "WORKSPACE.bzlmod", "MODULE.bazel", "MODULE.bazel.lock", "REPO.bazel",
                           ".bazelrc", "tools/ci.bazelrc", ".bazelversion", ".bazelignore"}) {
    CAPTURE(path);
    CHECK(isBazelFile(path));
  }
  for (const char *path : {"build.cpp", "BUILDING.md", "bazel.md", "a/BUILD/a.cpp"}) {
    CAPTURE(path);
    CHECK(!isBazelFile(path));
  }
}

TEST_CASE("labels that a text names") {
  struct Row {
    const char *text;
    std::vector<std::string> labels;
  };
  const Row rows[] = {
      {"test --run_under=//tools:wrap", {"//tools:wrap"}},
      {"register_toolchains(\"//toolchain:all\", \"@//other\")", {"//other", "//toolchain:all"}},
      {"load(\"@rules_cc//cc:defs.bzl\", \"cc_test\")", {}},
      {"urls = [\"https://a.example/b\"] // and a comment", {}},
      {"build --platforms=//a,//b:c", {"//a", "//b:c"}},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(labelsIn(row.text) == row.labels);
  }
}

TEST_CASE("what a .bazelrc imports") {
  CHECK(importsOf("import %workspace%/a.rc\n try-import /etc/b.rc\nbuild --c=import\n", "/w") ==
        std::vector<std::string>{"/w/a.rc", "/etc/b.rc"});
}
