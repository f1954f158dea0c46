#include "cov/coverage_collector.h"

#include "cov/module_probes.h"
#include "graph/link_program.h"
#include "tests/notation/program.h"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <filesystem>

using namespace retest;

namespace {

/// Edges 0 in -> x, 1 x -T-> one, 2 x -F-> two, 3 one -> out, 4 two -> out.
constexpr const char *kChoose =
    "strong choose(): in -> x ; x -T-> one ; one -> out ; x -F-> two ; two -> out\n";

/// What a process did in some functions: the counts of each, by mangled name.
using Counts = std::map<std::string, std::vector<std::uint64_t>>;
const Counts kTrue = {{"_Z6choosei", {1, 1}}}, kFalse = {{"_Z6choosei", {1, 0}}};

/// What a process leaves that runs a module of tests/cov/collector.
ModuleCounters process(const char *module, const Counts &counts) {
  CountedModule counted = llvm::cantFail(CountedModule::load(module));
  ModuleCounters left;
  left.module = module;
  left.buildId = counted.buildId;
  left.counters.resize(counted.counterCount);
  std::size_t found = 0;
  for (const CountedFunction &function : counted.functions)
    if (auto known = counts.find(function.symbol); known != counts.end()) {
      REQUIRE(known->second.size() == function.counterCount);
      std::copy(known->second.begin(), known->second.end(),
                left.counters.begin() + function.firstCounter);
      ++found;
    }
  REQUIRE(found == counts.size());
  return left;
}

/// The functions of the program and its library as a graph that is written by hand.
struct Collected {
  Names names;
  Project project;
  std::vector<bool> isCounted;
  std::vector<RecordedTest> tests;
  std::optional<CoverageCollector> collector;
  CoverageMatrix matrix;

  /// `uncounted`: a unit that was compiled without counters, whatever the module says.
  explicit Collected(llvm::ArrayRef<UnitText> units, llvm::StringRef uncounted = "",
                     llvm::StringRef unmodelled = "") {
    std::vector<UnitGraph> graphs;
    for (const UnitText &text : units) {
      UnitGraph &graph = graphs.emplace_back(unit(text.name, text.text, names));
      for (Function &function : graph.functions)
        describe(function, unmodelled);
    }
    project = linkProject(std::move(graphs),
                          programPlan("program = program.cpp other.cpp library.so ;"
                                      " library.so = library.cpp",
                                      names),
                          names);
    for (const ProjectUnit &unit : project.units)
      isCounted.push_back(names.text(unit.name) != uncounted);
    auto nameOf = [](llvm::StringRef path) {
      return std::filesystem::path(path.str()).filename().string();
    };
    collector.emplace(RecordedProgram{&project, &names, nameOf, isCounted});
    llvm::cantFail(collector->addModule(PROGRAM, "program"));
    llvm::cantFail(collector->addModule(LIBRARY, "library.so"));
    for (const char *name : {"a", "b", "c"}) {
      RecordedTest &test = tests.emplace_back();
      test.name = name;
      test.programs = {"program"};
    }
  }

  /// Symbols, and for choose() the places in program.cpp.
  void describe(Function &function, llvm::StringRef unmodelled) {
    const std::map<std::string, const char *> symbols = {{"choose()", "_Z6choosei"},
                                                         {"early()", "_Z5earlyv"},
                                                         {"shared()", "_Z6sharedv"},
                                                         {"answer()", "_Z6answerv"},
                                                         {"main", "main"}};
    std::string name = names.text(function.name).str();
    if (auto found = symbols.find(name); found != symbols.end())
      function.symbols = {names.intern(found->second)};
    if (name == unmodelled)
      function.unmodelled = "setjmp";
    if (name != "choose()")
      return;
    NameId file = names.intern("program.cpp");
    const std::pair<std::uint32_t, std::uint32_t> places[] = {{2, 7}, {3, 5}, {4, 3}};
    for (std::size_t i = 0; i < std::size(places); ++i) {
      SourcePosition place{file, places[i].first, places[i].second};
      function.flow.nodes[i + 2].elements.front().where = {place, place};
    }
  }

  void add(std::uint32_t test, llvm::ArrayRef<ModuleCounters> processes, const char *server = "") {
    llvm::cantFail(collector->addTest({test}, processes, server));
  }
  std::string refused(std::uint32_t test, const ModuleCounters &process) {
    return llvm::toString(collector->addTest({test}, process, ""));
  }

  void finish() { matrix = collector->finish(tests); }

  /// The tests that entered a function, or crossed one of its edges: "a b", "-".
  std::string who(llvm::StringRef function, int edge = -1, llvm::StringRef unit = "") const {
    for (const UnitCoverage &coverage : matrix.units)
      for (const ProjectUnit &each : project.units)
        if (names.text(each.name) == coverage.unit && (unit.empty() || unit == coverage.unit))
          for (std::size_t i = 0; i < coverage.rows.size(); ++i)
            if (names.text(project[each.functions[coverage.functions[i]]].name) == function)
              return show(edge < 0 ? coverage.rows[i].entry : coverage.rows[i].edges[edge]);
    return "-";
  }
  std::string sides() const { return who("choose()", 1) + " / " + who("choose()", 2); }

  std::string show(CoverageClassId id) const {
    std::vector<std::string> found;
    for (TestId test : matrix.classes[id.value])
      found.push_back(tests[test.value].name);
    return found.empty() ? "-" : fmt::format("{}", fmt::join(found, " "));
  }
  std::string unstable() const {
    std::string text;
    for (TestId test : collector->unstable())
      text += tests[test.value].name;
    return text;
  }
};

} // namespace

TEST_CASE("collector: each test has the sides that it took") {
  Collected collected({{"program.cpp", kChoose}});
  collected.add(0, process(PROGRAM, kTrue));
  collected.add(1, process(PROGRAM, kFalse));
  collected.finish();
  CHECK(collected.sides() == "a / b");
  CHECK(collected.who("choose()") == "a b");
  CHECK(collected.unstable() == "");
}

TEST_CASE("collector: a test that went another way in another round keeps both, and is named") {
  Collected collected({{"program.cpp", kChoose}});
  for (const Counts &ofFirst : {kTrue, kFalse, kTrue}) {
    collected.collector->beginRound();
    collected.add(0, process(PROGRAM, ofFirst));
    collected.add(1, process(PROGRAM, kTrue));
  }
  collected.finish();
  CHECK(collected.sides() == "a b / a");
  CHECK(collected.unstable() == "a");
}

TEST_CASE("collector: within a round the last run of a test counts, and it alone") {
  Collected collected({{"program.cpp", kChoose}});
  collected.add(0, process(PROGRAM, kTrue), "program");
  collected.add(0, process(PROGRAM, kFalse));
  collected.finish();
  CHECK(collected.sides() == "- / a");
  CHECK(collected.unstable() == "");
}

TEST_CASE(
    "collector: what a server did before main belongs to the tests that it ran, and no other") {
  Collected collected({{"program.cpp", "strong early(): in -> out"}});
  llvm::cantFail(
      collected.collector->addBeforeMain("program", process(PROGRAM, {{"_Z5earlyv", {1}}})));
  collected.add(0, {}, "program");
  collected.add(1, {}, "another");
  collected.add(2, {}, "");
  collected.finish();
  CHECK(collected.who("early()") == "a");
}

TEST_CASE("collector: a test that a server ran in one round only has what that did before main") {
  Collected collected({{"program.cpp", "strong early(): in -> out"}});
  llvm::cantFail(
      collected.collector->addBeforeMain("program", process(PROGRAM, {{"_Z5earlyv", {1}}})));
  collected.add(0, {}, "");
  collected.collector->beginRound();
  collected.add(0, {}, "program");
  collected.finish();
  CHECK(collected.who("early()") == "a");
}

TEST_CASE("collector: forked in one round, started in another: the same, but for before main") {
  const std::string text = std::string("strong early(): in -> out\n") + kChoose;
  for (bool isSame : {true, false}) {
    Collected collected({{"program.cpp", text.c_str()}});
    Counts early = {{"_Z5earlyv", {1}}}, whole = isSame ? kTrue : kFalse;
    llvm::cantFail(collected.collector->addBeforeMain("program", process(PROGRAM, early)));
    whole.insert(early.begin(), early.end());
    collected.add(0, process(PROGRAM, kTrue), "program");
    collected.collector->beginRound();
    collected.add(0, process(PROGRAM, whole), "");
    collected.finish();
    CHECK(collected.who("early()") == "a");
    CHECK(collected.unstable() == (isSame ? "" : "a"));
  }
}

TEST_CASE("collector: servers of one program that differ before main: each test has all of it") {
  Collected collected({{"program.cpp", kChoose}});
  for (const Counts &counts : {kTrue, kFalse})
    llvm::cantFail(collected.collector->addBeforeMain("program", process(PROGRAM, counts)));
  collected.add(0, {}, "program");
  collected.finish();
  CHECK(collected.sides() == "a / a");
}

TEST_CASE("collector: each process is evaluated by itself, and a negative count is a crossing") {
  Collected collected({{"program.cpp", kChoose}});
  ModuleCounters lost = process(PROGRAM, {{"_Z6choosei", {1, 2}}}); // an increment is missing
  collected.add(0, {process(PROGRAM, kFalse), lost});               // the sum says: never false
  collected.add(1, lost);
  collected.finish();
  CHECK(collected.sides() == "a b / a b");
}

TEST_CASE("collector: after a second thread whoever entered a function crossed all of it") {
  Collected collected({{"program.cpp", kChoose}});
  ModuleCounters threads = process(PROGRAM, kTrue);
  threads.hadThreads = true;
  collected.add(0, threads);
  collected.add(1, process(PROGRAM, kTrue));
  collected.finish();
  CHECK(collected.sides() == "a b / a");
}

TEST_CASE("collector: where a graph does not tell all, whoever entered crossed all of it") {
  Collected collected({{"program.cpp", kChoose}}, "", "choose()");
  collected.add(0, process(PROGRAM, kTrue));
  collected.finish();
  CHECK(collected.sides() == "a / a");
}

TEST_CASE("collector: all variants of a function in a module, and none of another module") {
  Collected collected({{"library.cpp", "weak shared(): in -> five ; five -> out"},
                       {"other.cpp", "weak shared(): in -> six ; six -> out"},
                       {"program.cpp", "weak shared(): in -> four ; four -> out"}});
  collected.add(0, process(PROGRAM, {{"_Z6sharedv", {1}}}));
  collected.add(1, process(LIBRARY, {{"_Z6sharedv", {1}}}));
  collected.finish();
  // Which copy the linker kept in the program is not known.
  CHECK(collected.who("shared()", 0, "program.cpp") == "a");
  CHECK(collected.who("shared()", 0, "other.cpp") == "a");
  CHECK(collected.who("shared()", 0, "library.cpp") == "b");
}

TEST_CASE("collector: a module that is not the one that was read") {
  Collected collected({{"program.cpp", kChoose}});
  ModuleCounters rebuilt = process(PROGRAM, kTrue), larger = rebuilt, foreign = rebuilt;
  rebuilt.buildId += "x";
  larger.counters.push_back(0);
  foreign.module = "/elsewhere/program";
  collected.add(0, process(PROGRAM, kTrue)); // which the next attempt replaces
  CHECK(collected.refused(0, rebuilt) ==
        std::string(PROGRAM) + ": was built anew while its tests ran");
  CHECK(collected.refused(1, larger) ==
        std::string(PROGRAM) + ": was built anew while its tests ran");
  CHECK(collected.refused(2, foreign) ==
        "/elsewhere/program: has counters, but is not a binary of the build");
  collected.finish();
  CHECK(collected.who("choose()") == "-");
}

TEST_CASE("collector: a unit without counters has the tests of its callers as well") {
  const UnitText units[] = {{"other.cpp", kChoose},
                            {"program.cpp", "strong main: in -> call choose() ;"
                                            " call choose() => out"},
                            {"library.cpp", ""}};
  for (const char *uncounted : {"", "other.cpp"}) {
    CAPTURE(uncounted);
    Collected collected(units, uncounted);
    collected.add(0, process(PROGRAM, {{"main", {1}}}));
    collected.add(1, process(PROGRAM, kTrue));
    collected.finish();
    CHECK(collected.who("choose()") == (*uncounted ? "a b" : "b"));
  }
}

TEST_CASE("collector: tests that ran and such as are carried from an earlier version") {
  Collected collected({{"program.cpp", kChoose}});
  FunctionId choose = function(collected.project, "choose()", collected.names);
  llvm::BitVector crossed(5);
  for (unsigned edge : {0, 2, 4})
    crossed.set(edge);
  collected.add(0, process(PROGRAM, kTrue));
  collected.collector->addCarried({{{choose, crossed, {TestId{1}, TestId{2}}}}, {choose}});
  collected.tests[2].unmeasured = "it is not known after all";
  collected.finish();
  CHECK(collected.sides() == "a / b");
  CHECK(collected.who("choose()") == "a b");
}

TEST_CASE("collector: what had no counters for carried tests is known by its callers") {
  const UnitText units[] = {{"other.cpp", kChoose},
                            {"program.cpp", "strong main: in -> call choose() ;"
                                            " call choose() => out"},
                            {"library.cpp", ""}};
  for (bool hadCounters : {true, false}) {
    CAPTURE(hadCounters);
    Collected collected(units);
    FunctionId choose = function(collected.project, "choose()", collected.names);
    FunctionId main = function(collected.project, "main", collected.names);
    collected.add(0, process(PROGRAM, kTrue));
    CarriedCoverage carried{{{main, llvm::BitVector(2, true), {TestId{1}}}}, {main}};
    (hadCounters ? carried.counted : carried.uncounted).push_back(choose);
    llvm::sort(carried.counted);
    collected.collector->addCarried(std::move(carried));
    collected.finish();
    CHECK(collected.who("choose()") == (hadCounters ? "a" : "a b"));
  }
}

TEST_CASE("collector: an earlier version tells what has counters where nothing is built, and only "
          "there") {
  // A function to which nothing leads, and that the file of the library does not have.
  const UnitText units[] = {{"library.cpp", "strong idle(): in -> out"}};
  for (bool isBuilt : {true, false}) {
    CAPTURE(isBuilt);
    Collected collected(units);
    if (!isBuilt)
      collected.collector->addUnbuilt("library.so");
    FunctionId idle = function(collected.project, "idle()", collected.names);
    collected.collector->addCarried({{}, {idle}});
    collected.finish();
    CHECK(collected.who("idle()") == (isBuilt ? "a b c" : "-"));
  }
}

TEST_CASE("collector: the matrix tells which functions have counters") {
  Collected collected({{"other.cpp", kChoose},
                       {"program.cpp", "strong absent(): in -> out\nstrong main: in -> out"}},
                      "other.cpp");
  collected.finish();
  REQUIRE(collected.matrix.units.size() == 2);
  CHECK(collected.matrix.units[0].counted == std::vector<std::uint32_t>{0}); // whatever they tell
  CHECK(collected.matrix.units[1].counted == std::vector<std::uint32_t>{1});
}

TEST_CASE("collector: names without the numbers that only the compiler knows") {
  CHECK(withoutNumbers("_ZZ3useiENK3$_0clEv") == withoutNumbers("_ZZ3useiENK4$_10clEv"));
  CHECK(withoutNumbers("_ZZ3useiENK3$_0clEv") != withoutNumbers("_ZZ3usevENK3$_0clEv"));
  CHECK(withoutNumbers("_Z5applyIZ1fvE3$_2ZS0_E3$_3Evv") == "_Z5applyIZ1fvE$_ZS0_E$_Evv");
  CHECK(withoutNumbers("_Z3f12i") == "_Z3f12i");
}
