#include "select/unreached_functions.h"

#include "diff/compare.h"
#include "graph/link_program.h"
#include "graph/unit_fingerprint.h"
#include "tests/notation/program.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

std::string unreached(const std::string &baseline, const std::string &current,
                      llvm::StringRef idle = "") {
  Names names;
  ProgramPlan plan = programPlan("tool = a.cpp", names);
  auto linked = [&](const std::string &text) {
    UnitGraph graph = unit("a.cpp", text, names);
    graph.fingerprint = fingerprintOf(graph, names);
    std::vector<UnitGraph> units;
    units.push_back(std::move(graph));
    return linkProject(std::move(units), plan, names);
  };
  Project before = linked(baseline), after = linked(current);
  std::string text;
  std::set<FunctionId> idleFunctions;
  for (std::uint32_t id = 0; id < after.functions.size(); ++id)
    if (names.text(after.functions[id].name) == idle)
      idleFunctions.insert({id});
  for (FunctionId id :
       unreachedFunctions(compare(before, after, names), after, names, idleFunctions))
    text += (text.empty() ? "" : " ") + names.text(after[id].name).str();
  return text.empty() ? "-" : text;
}

} // namespace

TEST_CASE("unreached functions: one row per way in which control may come to an added one") {
  const std::string main = "strong main(): in -> out\n";
  const std::string dead = "strong dead(): in -> call deeper() ; call deeper() => out\n"
                           "strong deeper(): in -> out\n";
  struct Row {
    const char *what;
    std::string current, unreached;
  };
  const Row rows[] = {
      {"nothing added", main, "-"},
      {"nobody calls it", main + dead, "dead() deeper()"},
      {"called by what was there", "strong main(): in -> call dead() ; call dead() => out\n" + dead,
       "-"},
      {"a part of it is", "strong main(): in -> call deeper() ; call deeper() => out\n" + dead,
       "dead()"},
      {"it calls itself", main + "strong f(): in -> call f() ; call f() => out\n", "f()"},
      {"an initialiser calls it",
       main + "initialiser init of a.cpp: in -> call dead() ; call dead() => out\n" + dead, "-"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(unreached(main, row.current) == row.unreached);
  }
}

TEST_CASE("unreached functions: a caller of which no test comes to what changed does not count") {
  const std::string added = "strong added(): in -> out\n";
  const std::string calls = "strong f(): in -> call added() ; call added() => out\n";
  CHECK(unreached("strong f(): in -> out\n", calls + added) == "-");
  CHECK(unreached("strong f(): in -> out\n", calls + added, "f()") == "added()");
}
