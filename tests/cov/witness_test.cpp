#include "cov/coverage_collector.h"
#include "graph/extract_project.h"
#include "graph/link_program.h"
#include "run/run_program.h"
#include "tests/cov/gcc_program.h"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace retest;

namespace {

constexpr int kTests = 8;

/// What the program itself says that it did: line, and '.' (was there), 'T' or 'F' (decided).
using Trace = std::set<std::pair<unsigned, char>>;

enum class Compiler { Clang, Gcc };

/// The program in tests/cov/witness, built with one set of flags, and its matrix.
struct Recorded {
  TemporaryDirectory directory;
  Names names;
  Project project;
  CoverageMatrix matrix;
  std::vector<Trace> traces; ///< by test
  CoverageCollector::Statistics statistics;

  explicit Recorded(const std::vector<std::string> &flags, Compiler compiler = Compiler::Clang) {
    for (const char *file : {"constructs.cpp", "cases.inc"})
      std::filesystem::copy_file(std::string(WITNESS_SOURCES) + "/" + file, directory / file);
    Unit unit{"constructs.cpp",
              {directory.path(),
               directory / "constructs.cpp",
               directory / "constructs.cpp.o",
               {compiler == Compiler::Gcc ? "g++" : "clang++-19"}}};
    unit.command.arguments.insert(unit.command.arguments.end(), flags.begin(), flags.end());
    unit.command.arguments.push_back("constructs.cpp");
    if (compiler == Compiler::Gcc)
      buildWithGcc(directory.path(), {"constructs.cpp"}, "program", flags);
    else
      build(unit.command.arguments);
    CompileDatabase database{"", {unit}, {}};
    ExtractedUnit extracted = extractUnit(unit, {directory.path(), directory / "build"},
                                          llvm::cantFail(prepareExtraction(database)));
    REQUIRE(extracted.record.error == "");
    names = std::move(extracted.names);
    std::vector<UnitGraph> graphs;
    graphs.push_back(std::move(extracted.record.graph));
    project = linkProject(std::move(graphs), {}, names);
    record();
  }

  void build(std::vector<std::string> command) {
    ProcessCommand compiler;
    compiler.directory = directory.path();
    command.insert(command.end(),
                   {"-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-o", "program"});
    compiler.arguments = command;
    ProcessResult result = llvm::cantFail(runProcess(compiler));
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
  }

  void record() {
    std::string root = directory.path();
    CoverageCollector collector({&project,
                                 &names,
                                 [root](llvm::StringRef path) {
                                   path.consume_front(root + "/");
                                   return path.str();
                                 },
                                 {true},
                                 {directory / "constructs.cpp.o"}});
    llvm::cantFail(collector.addModule(directory / "program", "all"));
    std::vector<RecordedTest> tests;
    for (unsigned test = 0; test < kTests; ++test) {
      std::string number = std::to_string(test);
      std::filesystem::create_directories(directory / number);
      ProgramRun run;
      run.arguments = {directory / "program", number};
      run.environment = {{"TRACE", directory / ("trace" + number)}};
      run.outputFile = run.errorFile = directory / "output";
      run.counterDirectory = directory / number;
      REQUIRE(llvm::cantFail(runProgram(run)).exitCode == 0);
      llvm::cantFail(
          collector.addTest({test}, llvm::cantFail(takeCounterFiles(directory / number)), ""));
      RecordedTest recorded;
      recorded.name = number;
      recorded.programs = {"all"};
      tests.push_back(recorded);
      traces.push_back(readTrace(directory / ("trace" + number)));
    }
    statistics = collector.statistics();
    matrix = collector.finish(tests);
  }

  Trace readTrace(const std::string &path) {
    Trace trace;
    std::ifstream file(path);
    unsigned mark = 0;
    char what = 0;
    while (file >> mark >> what)
      trace.insert({mark > 9000 ? lineOf(std::to_string(mark)) : mark, what});
    return trace;
  }

  unsigned lineOf(const std::string &text) {
    std::ifstream file(directory / "constructs.cpp");
    std::string line;
    for (unsigned number = 1; std::getline(file, line); ++number)
      if (line.find(text) != std::string::npos)
        return number;
    return 0;
  }

  const std::vector<TestId> &testsOf(CoverageClassId id) const { return matrix.classes[id.value]; }
};

/// Lines with a condition that decides where control goes on.
std::set<unsigned> decidingLines(const Recorded &recorded) {
  std::set<unsigned> lines;
  for (const Function &function : recorded.project.functions)
    for (const FlowEdge &edge : function.flow.edges)
      if (const Node &from = function.flow.nodes[edge.from.value];
          recorded.names.text(edge.label) == "T" && !from.elements.empty())
        lines.insert(from.elements.back().where.begin.line);
  return lines;
}

/// What the matrix says in the words of a trace, by file: each call of `m` or `x`, and the sides of
/// the branches whose condition begins on a line.
std::map<std::string, std::vector<Trace>> tracesByMatrix(const Recorded &recorded) {
  std::map<std::string, std::vector<Trace>> traces;
  const UnitCoverage &unit = recorded.matrix.units.at(0);
  for (std::size_t i = 0; i < unit.functions.size(); ++i) {
    const FlowGraph &flow =
        recorded.project[recorded.project.units[0].functions[unit.functions[i]]].flow;
    for (std::size_t edge = 0; edge < flow.edges.size(); ++edge) {
      auto add = [&](const SourcePosition &where, char what) {
        auto &byTest = traces[recorded.names.text(where.file).str()];
        byTest.resize(kTests);
        for (TestId test : recorded.testsOf(unit.rows[i].edges[edge]))
          byTest[test.value].insert({where.line, what});
      };
      const Node &to = flow.nodes[flow.edges[edge].to.value];
      llvm::StringRef callee = recorded.names.text(to.call.callee);
      if (to.kind == NodeKind::Call && (callee.starts_with("m(") || callee.starts_with("x(")))
        add(to.elements.back().where.begin, '.');
      llvm::StringRef label = recorded.names.text(flow.edges[edge].label);
      const Node &from = flow.nodes[flow.edges[edge].from.value];
      if ((label == "T" || label == "F") && !from.elements.empty())
        add(from.elements.back().where.begin, label[0]);
    }
  }
  return traces;
}

std::vector<std::string> linesOf(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> lines = {""};
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

std::string joined(const std::set<std::string> &texts) {
  return fmt::format("{}", fmt::join(texts, "\n"));
}

struct Difference {
  std::set<std::string> missed;  ///< done, and not in the matrix
  std::set<std::string> tooMany; ///< in the matrix, and not done
};

/// What the matrix says, against what the program says that it did.
Difference compare(const Recorded &recorded) {
  auto traces = tracesByMatrix(recorded);
  std::vector<std::string> lines = linesOf(std::string(WITNESS_SOURCES) + "/constructs.cpp");
  std::vector<Trace> &byMatrix = traces["constructs.cpp"];
  std::set<unsigned> deciding = decidingLines(recorded);
  Difference difference;
  for (unsigned test = 0; test < kTests; ++test) {
    for (auto [line, what] : recorded.traces[test]) {
      bool isInIncluded = line < 10; // cases.inc
      const Trace &matrix = isInIncluded ? traces["cases.inc"][test] : byMatrix[test];
      bool isNegated = lines[line].find("!x(") != std::string::npos;
      if (!matrix.count({line, '.'}))
        difference.missed.insert(fmt::format("{}: {} was there", line, test));
      if (what != '.' && !isNegated && deciding.count(line) && !matrix.count({line, what}))
        difference.missed.insert(fmt::format("{}: {} went {}", line, test, what));
    }
    for (auto [line, what] : byMatrix[test])
      if (what == '.' && lines[line].find("coarse") == std::string::npos) {
        bool was = false;
        for (char any : {'.', 'T', 'F'})
          was |= recorded.traces[test].count({line, any}) != 0;
        if (!was)
          difference.tooMany.insert(fmt::format("{}: {} {}", line, test, lines[line]));
      }
  }
  // What the compiler evaluates is not counted; whoever was there went that way all the same.
  for (unsigned line = 1; line < lines.size(); ++line)
    if (lines[line].find("// folded") != std::string::npos)
      for (unsigned test = 0; test < kTests; ++test)
        if (!byMatrix[test].count({line, 'T'}))
          difference.missed.insert(fmt::format("{}: {} went T", line, test));
  return difference;
}

} // namespace

TEST_CASE("witnesses: every construct, against what the program says that it did") {
  for (std::string level : {"-O0", "-O2"}) {
    CAPTURE(level);
    Recorded recorded({"-std=c++17", level});
    Difference difference = compare(recorded);
    CHECK(joined(difference.missed) == "");
    CHECK(joined(difference.tooMany) == "");
    CHECK(recorded.statistics.inconsistencies == 0);
    // Nearly all branches are told apart; whether a call came back or threw is not counted.
    CHECK(recorded.statistics.flow.exact > recorded.statistics.flow.edges * 75 / 100);
  }
}

TEST_CASE("witnesses: the same with GCC, which knows lines only") {
  Recorded recorded({"-std=c++17"}, Compiler::Gcc);
  Difference difference = compare(recorded);
  CHECK(joined(difference.missed) == "");
  // Parts of one expression, code that is never made, templates of internal linkage, lambdas.
  INFO(joined(difference.tooMany));
  CHECK(difference.tooMany.size() < 100);
  CHECK(recorded.statistics.inconsistencies == 0);
  CHECK(recorded.statistics.flow.exact > recorded.statistics.flow.edges * 30 / 100);
}
