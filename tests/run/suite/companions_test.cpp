#include "run/companions.h"

#include <doctest/doctest.h>
#include <llvm/ADT/StringExtras.h>

using namespace retest;

TEST_CASE("companions: what comes along with entries") {
  SuiteEntry up{"up"}, down{"down"}, uses{"uses"}, also{"also"}, last{"last"}, off{"off"};
  SuiteEntry deep{"deep"};
  up.fixturesSetup = {"f"};
  up.depends = {"first"};
  down.fixturesCleanup = {"f"};
  uses.fixturesRequired = {"f"};
  also.fixturesRequired = {"f"};
  last.depends = {"also", "no such"};
  off.fixturesSetup = {"f"};
  off.isDisabled = true;
  deep.fixturesRequired = {"g"};
  deep.fixturesSetup = {"h"};
  SuiteEntry first{"first"}, deepest{"deepest"}, onTop{"onTop"};
  deepest.fixturesSetup = {"g"};
  onTop.fixturesRequired = {"h"};
  const std::vector<SuiteEntry> entries = {up,  down, uses,  also,    last,
                                           off, deep, first, deepest, onTop};
  struct Row {
    const char *what;
    std::set<std::string> names;
    const char *companions;
  };
  const Row rows[] = {
      {"nothing", {}, ""},
      {"a fixture, and what its set-up depends on", {"uses"}, "down first up"},
      {"a set-up alone needs its own dependencies only", {"up"}, "first"},
      {"a clean-up needs nobody", {"down"}, ""},
      {"a dependency, and its fixtures", {"last"}, "also down first up"},
      {"what is there already is not named", {"uses", "up"}, "down first"},
      {"fixtures of fixtures", {"onTop"}, "deep deepest"},
      {"what is disabled needs nothing", {"off"}, ""},
      {"an entry that is not there", {"gone"}, ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    std::set<std::string> found = companionEntries(entries, row.names);
    CHECK(llvm::join(found, " ") == row.companions);
  }
}
