#include "build/build_targets.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

namespace {

/// a_test and tool need the library, which needs a generator; doc stands alone.
BuildTargets targets() {
  return {{"a@1", {"a_test", {"<build>/a_test"}, {"lib@1"}}},
          {"tool@1", {"tool", {"<build>/bin/tool"}, {"lib@1"}}},
          {"lib@1", {"lib", {"<build>/libx.so"}, {"gen@1"}}},
          {"gen@1", {"generate", {}, {"early@1"}}},
          {"early@1", {"early", {}, {}}},
          {"doc@1", {"doc", {}, {}}}};
}

} // namespace

TEST_CASE("targets: what makes files, and what is up to date then") {
  struct Row {
    const char *what;
    std::set<std::string> files;
    const char *names, *upToDate, *unknown;
  };
  const Row rows[] = {
      {"nothing", {}, "", "", ""},
      {"a program brings its library",
       {"<build>/a_test"},
       "a_test",
       "<build>/a_test <build>/libx.so",
       ""},
      {"two programs",
       {"<build>/a_test", "<build>/bin/tool"},
       "a_test tool",
       "<build>/a_test <build>/bin/tool <build>/libx.so",
       ""},
      {"a library by the file that its link leads to",
       {"<build>/libx.so.1.2"},
       "lib",
       "<build>/libx.so <build>/libx.so.1.2",
       ""},
      {"what no target makes",
       {"<build>/gone", "<build>/a_test"},
       "a_test",
       "<build>/a_test <build>/libx.so",
       "<build>/gone"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    ChosenTargets chosen = targetsMaking(targets(), row.files);
    CHECK(llvm::join(chosen.names, " ") == row.names);
    CHECK(llvm::join(chosen.files, " ") == row.upToDate);
    CHECK(llvm::join(chosen.unknown, " ") == row.unknown);
  }
}
