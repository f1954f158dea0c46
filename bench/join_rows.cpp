// Times the join of dangerous edges with the recorded coverage, as `retest select` does it:
//
//     join_rows write STORE [dense]    makes up a suite of 10,000 tests and 1,000,000 probes
//     join_rows join STORE             100 dangerous edges of it: which tests crossed them?
//
// Two processes, so that the second has in memory only what it has read. The graph that a selection
// has anyway is loaded before; the time of that is told apart. bench/join runs both.
#include "db/store.h"
#include "graph/link_program.h"
#include "select/select_tests.h"
#include "tests/db/made_up_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include <sys/resource.h>

using namespace retest;

namespace {

constexpr std::uint32_t kEdges = 100;

class Clock {
public:
  double milliseconds() {
    auto now = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> time = now - last_;
    last_ = now;
    return time.count();
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

long peakMegabytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void write(const std::string &path, bool isDense, llvm::ExitOnError &orExit) {
  SuiteShape shape{"join", 10'000, 1000, 100, 10, 1.0, isDense ? 1500U : 150U, 2, 5};
  Names names;
  std::deque<UnitRecord> units = madeUpUnits(shape, names);
  CoverageMatrix matrix = madeUpMatrix(shape, units);
  std::vector<NamedUnit> named;
  for (const UnitRecord &unit : units)
    named.push_back({&unit, &names});
  Store store = orExit(Store::open(path, OpenMode::Write));
  orExit(store.saveBaseline({"join", "", "", ""}, {named, nullptr, {}}, {}, &matrix));
}

Project loadProject(Store &store, const BaselineIndex &index, Names &names,
                    llvm::ExitOnError &orExit) {
  ProgramPlan plan = orExit(store.loadPlan(index.id, names));
  return linkProject(orExit(store.loadGraphs(index, names)), plan, names);
}

/// Edges all over the program: most are steps of a flow, some every call of a function, and some
/// virtual calls, of which the coverage of a class is a part.
Delta dangerousEdges(const Project &project, Names &names) {
  Delta delta;
  for (std::uint32_t i = 0; i < kEdges; ++i) {
    DangerousEdge edge;
    edge.function = {
        static_cast<std::uint32_t>(std::uint64_t{i} * project.functions.size() / kEdges)};
    edge.place = i % 10 == 0   ? EdgePlace::Entry
                 : i % 10 == 1 ? EdgePlace::VirtualCall
                               : EdgePlace::Flow;
    if (edge.place == EdgePlace::Flow)
      edge.edge = i % 10;
    if (edge.place == EdgePlace::VirtualCall) {
      edge.node = {3};
      edge.receiver =
          names.intern(fmt::format("project::module{:04}::Worker<project::Item{}>", i, i % 7));
    }
    delta.edges.push_back(std::move(edge));
  }
  std::sort(delta.edges.begin(), delta.edges.end());
  return delta;
}

/// What select loads for the witnesses of a delta.
WitnessRows loadRows(StoredCoverage &coverage, const WantedRows &wanted, const Project &project,
                     const Names &names, llvm::ExitOnError &orExit) {
  std::vector<std::string> types;
  for (NameId type : wanted.constructed)
    types.push_back(names.text(type).str());
  WitnessRows rows = orExit(rowsFor(wanted, project, names,
                                    orExit(coverage.units(unitsOf(wanted, project, names))),
                                    orExit(coverage.constructed(types))));
  std::vector<CoverageClassId> ids = classesOf(rows);
  std::vector<std::vector<TestId>> classes = orExit(coverage.classes(ids));
  for (std::size_t i = 0; i < ids.size(); ++i)
    rows.classes.emplace(ids[i], std::move(classes[i]));
  return rows;
}

void join(const std::string &path, llvm::ExitOnError &orExit) {
  Store store = orExit(Store::open(path, OpenMode::Read));
  BaselineIndex index = orExit(store.loadIndex(""));
  Names names;
  Clock clock;
  Project project = loadProject(store, index, names, orExit);
  double graph = clock.milliseconds();
  long before = peakMegabytes();
  Delta delta = dangerousEdges(project, names);
  std::size_t probes = 0;
  for (const Function &function : project.functions)
    probes += function.flow.edges.size();

  clock.milliseconds();
  auto coverage = orExit(store.coverage(index.id));
  std::vector<RecordedTest> tests = orExit(coverage->tests(TestParts::WithoutFiles));
  double reading = clock.milliseconds();
  WitnessRows rows = loadRows(*coverage, wantedRows(delta, project, names), project, names, orExit);
  double loading = clock.milliseconds();
  Selection selection = selectTests({delta, project, names, tests, rows});
  double deciding = clock.milliseconds();
  auto selected =
      std::count_if(selection.tests.begin(), selection.tests.end(),
                    [](const TestVerdict &test) { return test.verdict != Verdict::Skipped; });
  fmt::print("{{\"tests\": {}, \"probes\": {}, \"edges\": {}, \"selected\": {}, "
             "\"graph_ms\": {:.1f}, \"tests_ms\": {:.1f}, \"rows_ms\": {:.1f}, "
             "\"select_ms\": {:.1f}, \"join_ms\": {:.1f}, \"graph_mib\": {}, \"peak_mib\": {}}}\n",
             tests.size(), probes, delta.edges.size(), selected, graph, reading, loading, deciding,
             reading + loading + deciding, before, peakMegabytes());
}

} // namespace

int main(int argc, char **argv) {
  llvm::StringRef what = argc > 1 ? argv[1] : "";
  llvm::ExitOnError orExit("join_rows: ");
  if (what == "write" && argc <= 4 && argc > 2)
    write(argv[2], argc == 4 && llvm::StringRef(argv[3]) == "dense", orExit);
  else if (what == "join" && argc == 3)
    join(argv[2], orExit);
  else {
    fmt::print(stderr, "usage: join_rows write STORE [dense] | join STORE\n");
    return 2;
  }
}
