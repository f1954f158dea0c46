// Times the comparison of two recorded baselines, as they are and with every unit and program there
// ten times: `compare_baselines STORE BASELINE CURRENT`. Loading and linking are not counted.
#include "db/store.h"
#include "diff/compare.h"
#include "graph/link_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

using namespace retest;

namespace {

constexpr int kRepeats = 101;

std::vector<UnitGraph> copies(const std::vector<UnitGraph> &units, int count, Names &names) {
  std::vector<UnitGraph> all;
  for (int copy = 0; copy < count; ++copy)
    for (UnitGraph unit : units) {
      if (copy != 0)
        unit.name = names.intern(fmt::format("copy{}/{}", copy, names.text(unit.name).str()));
      all.push_back(std::move(unit));
    }
  return all;
}

ProgramPlan copies(const ProgramPlan &plan, int count, Names &names) {
  ProgramPlan all;
  auto rename = [&](NameId &name, int copy) {
    if (copy != 0)
      name = names.intern(fmt::format("copy{}/{}", copy, names.text(name).str()));
  };
  for (int copy = 0; copy < count; ++copy)
    for (LinkedBinary binary : plan.binaries) {
      rename(binary.name, copy);
      for (ProgramInput &input : binary.inputs)
        if (input.kind == ProgramInputKind::Unit || input.kind == ProgramInputKind::Archive ||
            input.kind == ProgramInputKind::SharedLibrary)
          rename(input.name, copy);
      all.binaries.push_back(std::move(binary));
    }
  return all;
}

std::vector<UnitGraph> graphsOf(Baseline &baseline) {
  std::vector<UnitGraph> graphs;
  for (UnitRecord &unit : baseline.units)
    graphs.push_back(std::move(unit.graph));
  return graphs;
}

/// A project in two versions, and how long their comparisons took.
struct Pair {
  Project old, now;
  std::vector<double> times = {};
  std::size_t edges = 0;

  void measure(const Names &names) {
    auto begin = std::chrono::steady_clock::now();
    edges = compare(old, now, names).edges.size();
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    times.push_back(time.count());
  }
  double median() {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: compare_baselines STORE BASELINE CURRENT\n");
    return 2;
  }
  llvm::ExitOnError orExit("compare_baselines: ");
  Store store = orExit(Store::open(argv[1], OpenMode::Read));
  Names names;
  Baseline baseline = orExit(store.loadBaseline(argv[2], names));
  Baseline current = orExit(store.loadBaseline(argv[3], names));
  std::vector<UnitGraph> before = graphsOf(baseline), after = graphsOf(current);
  std::vector<Pair> pairs;
  for (int count : {1, 10}) {
    Project old =
        linkProject(copies(before, count, names), copies(baseline.plan, count, names), names);
    // The edit is made once: the other copies stay as they were.
    std::vector<UnitGraph> edited = copies(before, count, names);
    std::copy(after.begin(), after.end(), edited.begin());
    Project now = linkProject(std::move(edited), copies(current.plan, count, names), names);
    pairs.push_back({std::move(old), std::move(now)});
  }
  for (int i = 0; i < kRepeats; ++i) // in turn, so that whatever else the machine does hits both
    for (Pair &pair : pairs)
      pair.measure(names);
  for (Pair &pair : pairs)
    fmt::print("{{\"units\": {}, \"functions\": {}, \"milliseconds\": {:.3f}, \"edges\": {}, "
               "\"ratio\": {:.2f}}}\n",
               pair.old.units.size(), pair.old.functions.size(), pair.median(), pair.edges,
               pair.median() / pairs.front().median());
}
