#include "build/paths.h"
#include "build/project_paths.h"
#include "cov/coverage_collector.h"
#include "db/store.h"
#include "diff/compare.h"
#include "graph/link_program.h"
#include "select/carry_forward.h"
#include "tests/select_command/edited_copy.h"

#include <set>

using namespace retest;

namespace {

/// Recorded once; each edit is taken back.
const EditedCopy &shapes() {
  static const EditedCopy copy(PROJECT_DIRECTORY);
  return copy;
}

struct Change {
  std::string file, from, to; ///< `from` empty: a new file
};

/// Some files changed, as long as this lives.
class Changes {
public:
  explicit Changes(const std::vector<Change> &changes) {
    for (const Change &change : changes) {
      if (change.from.empty()) {
        shapes().write(change.file, change.to);
        added_.push_back(change.file);
      } else {
        edits_.push_back(std::make_unique<Edit>(shapes(), change.file, change.from, change.to));
      }
    }
  }
  Changes(const Changes &) = delete;
  Changes &operator=(const Changes &) = delete;
  ~Changes() {
    while (!edits_.empty()) // the last one first: a file may be edited twice
      edits_.pop_back();
    for (const std::string &file : added_)
      std::filesystem::remove(shapes().path(file));
  }

private:
  std::vector<std::unique_ptr<Edit>> edits_;
  std::vector<std::string> added_;
};

/// A stored baseline with its graph and matrix.
struct Version {
  Project project;
  CoverageMatrix matrix;

  Version(Store &store, const std::string &name, Names &names) {
    BaselineIndex index = llvm::cantFail(store.loadIndex(name));
    ProgramPlan plan = llvm::cantFail(store.loadPlan(index.id, names));
    project = linkProject(llvm::cantFail(store.loadGraphs(index, names)), plan, names);
    matrix = llvm::cantFail(llvm::cantFail(store.coverage(index.id))->whole());
    for (RecordedTest &test : matrix.tests)
      test.duration = {};
  }
};

/// What a matrix says, line by line.
std::string show(const Version &version, const CoverageMatrix &matrix, const Names &names) {
  auto testsOf = [&](CoverageClassId id) {
    std::string text;
    for (TestId test : matrix.classes[id.value])
      text += " " + matrix.tests[test.value].name;
    return text;
  };
  std::string text;
  for (const RecordedTest &test : matrix.tests) {
    text += idOf(test) + " " + test.file + ":" + std::to_string(test.line) + " " + test.unmeasured +
            " |";
    for (const std::string &program : test.programs)
      text += " " + program;
    text += "\n";
  }
  for (const UnitCoverage &unit : matrix.units)
    for (const ProjectUnit &each : version.project.units) {
      if (names.text(each.name) != unit.unit)
        continue;
      auto nameAt = [&](std::uint32_t place) {
        return names.text(version.project[each.functions[place]].name).str();
      };
      for (std::uint32_t place : unit.counted)
        text += unit.unit + " counts " + nameAt(place) + "\n";
      for (std::size_t i = 0; i < unit.rows.size(); ++i) {
        text += unit.unit + " " + nameAt(unit.functions[i]) + ":" + testsOf(unit.rows[i].entry);
        for (std::size_t edge = 0; edge < unit.rows[i].edges.size(); ++edge)
          text += " [" + std::to_string(edge) + ":" + testsOf(unit.rows[i].edges[edge]) + "]";
        text += "\n";
      }
    }
  for (const ClassCoverage &type : matrix.constructed)
    text += "makes " + type.name + ":" + testsOf(type.constructed) + "\n";
  return text;
}

/// The lines that only one of two texts has.
std::string difference(const std::string &carried, const std::string &recorded) {
  auto linesOf = [](const std::string &text) {
    std::set<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      lines.insert(line);
    return lines;
  };
  std::set<std::string> a = linesOf(carried), b = linesOf(recorded);
  std::string text;
  for (const std::string &line : a)
    if (!b.count(line))
      text += "carried:  " + line + "\n";
  for (const std::string &line : b)
    if (!a.count(line))
      text += "recorded: " + line + "\n";
  return text;
}

std::string baselineName() {
  static const std::string name = [] {
    Store store = llvm::cantFail(Store::open(shapes().storePath(), OpenMode::Read));
    return llvm::cantFail(store.listBaselines()).front().name;
  }();
  return name;
}

/// Compares the two for an edited tree: the rows of skipped tests are carried from the baseline,
/// those of the others taken from the recording. Once the binaries tell what has counters, once
/// the baseline does. The number of skipped tests.
std::size_t checkCarried(const std::vector<Change> &changes, bool isExactUnbuilt) {
  std::string base = baselineName();
  Changes made(changes);
  std::set<std::string> skipped;
  // What failed in the recording of another edit is not asked for here.
  std::filesystem::remove(shapes().path("build-retest/.retest/last-failed"));
  llvm::json::Object answer = shapes().json({"--base", base});
  for (const llvm::json::Value &test : *answer.getArray("skipped"))
    skipped.insert(test.getAsObject()->getString("id")->str());
  shapes().succeed({"record", "--name", "edited"});

  Store store = llvm::cantFail(Store::open(shapes().storePath(), OpenMode::Read));
  Names names;
  Version before(store, base, names), after(store, "edited", names);
  Delta delta = compare(before.project, after.project, names);
  ProjectPaths paths = llvm::cantFail(findProject(shapes().path("build-retest")));
  for (bool isBuilt : {true, false}) {
    if (!isBuilt && !isExactUnbuilt)
      continue;
    CAPTURE(isBuilt);
    std::vector<RecordedTest> tests = after.matrix.tests;
    std::map<std::string, TestId> numbers;
    for (std::uint32_t i = 0; i < tests.size(); ++i)
      numbers[idOf(tests[i])] = {i};
    // Skipped tests from the baseline, the others from the recording itself.
    std::vector<TestId> fromBaseline(before.matrix.tests.size()), fromRecording(tests.size());
    for (std::uint32_t i = 0; i < fromBaseline.size(); ++i) {
      std::string id = idOf(before.matrix.tests[i]);
      if (skipped.count(id) && numbers.count(id))
        fromBaseline[i] = numbers[id];
    }
    for (std::uint32_t i = 0; i < tests.size(); ++i)
      if (!llvm::is_contained(fromBaseline, TestId{i}) && tests[i].unmeasured.empty())
        fromRecording[i] = {i};
    CarriedForward carried = llvm::cantFail(
        carryForward(before.matrix, before.project, after.project, names, delta, fromBaseline));
    for (const LostTest &test : carried.lost)
      CHECK_MESSAGE(false, idOf(tests[test.test.value]), ": ", test.reason);
    CarriedForward ran = llvm::cantFail(
        carryForward(after.matrix, after.project, after.project, names, {}, fromRecording));
    llvm::append_range(carried.coverage.rows, ran.coverage.rows);

    auto nameOf = [&](llvm::StringRef path) {
      return paths.nameOf(absolutePath(paths.build, path));
    };
    CoverageCollector collector(
        {&after.project, &names, nameOf, std::vector<bool>(after.project.units.size(), true)});
    for (const ProgramGraph &program : after.project.programs)
      for (NameId image : program.images) {
        std::string path = realPath(paths.pathOf(names.text(image)));
        if (!isBuilt)
          collector.addUnbuilt(names.text(image));
        else if (!collector.hasModule(path))
          llvm::consumeError(collector.addModule(path, names.text(image)));
      }
    collector.addCarried(std::move(carried.coverage));
    for (std::uint32_t i = 0; i < fromBaseline.size(); ++i)
      if (fromBaseline[i].isValid()) { // what describes a test now, and what it did then
        RecordedTest &now = tests[fromBaseline[i].value];
        const RecordedTest &then = before.matrix.tests[i];
        now.status = then.status;
        now.programs = then.programs;
        now.files = then.files;
      }
    CoverageMatrix matrix = collector.finish(std::move(tests));
    matrix.environment = after.matrix.environment;
    CHECK(difference(show(after, matrix, names), show(after, after.matrix, names)) == "");
    CHECK((matrix == after.matrix));
  }
  return skipped.size();
}

} // namespace

TEST_CASE("carried over an edit: the matrix is that of a recording") {
  struct Row {
    const char *edit;
    std::vector<Change> changes;
    std::size_t skipped; ///< tests; 21 are there
    /// A recording takes an inline function that nobody uses for one that all may call, since it
    /// has no counters; where nothing is built that cannot be told, and nobody is said to enter it.
    bool isExactUnbuilt = true;
  };
  const std::string text = shapes().read("text.cpp");
  const std::string function =
      text.substr(text.find("int applied"), text.find("int tailed") - text.find("int applied"));
  const Row rows[] = {
      {"nothing", {}, 21},
      {"comments, so that lines move",
       {{"shape.cpp", "int note(int kind)",
         "// a comment\n\n/* and\nanother */ int note(int kind)"},
        {"shape.h", "inline int atLeastZero", "// the same for all\n\ninline int atLeastZero"},
        {"more_test.cpp", "TEST(Largest, Integer)", "// first\nTEST(Largest, Integer)"},
        {"third_party/vendor.h", "inline int", "// of somebody else\n\ninline int"}},
       21},
      {"a branch that one test takes", {{"shape.cpp", "kind = 1;", "kind = 1 + 0 * number;"}}, 19},
      {"a function is renamed",
       {{"shape.cpp", "int doubled(int number)", "int twiceOf(int number)"},
        {"shape.cpp", "doubled(kind)", "twiceOf(kind)"}},
       17},
      {"a function with a lambda moves to another file",
       {{"text.cpp", function, ""},
        {"early.cpp", "static int start", function + "static int start"}},
       21},
      {"a file is renamed",
       {{"words.cpp", "", shapes().read("text.cpp")}, {"CMakeLists.txt", "text.cpp", "words.cpp"}},
       21},
      {"a new file",
       {{"added.cpp", "",
         "#include \"shape.h\"\nint added(int n) { return n ? total(Shape()) : 0; }\n"},
        {"CMakeLists.txt", "text.cpp", "text.cpp added.cpp"}},
       21},
      {"new functions that nobody calls",
       {{"text.cpp", "int unused", "int other(int n) { return n ? 1 : 2; }\nint unused"},
        {"shape.h", "int total(", "inline int halved(int n) { return n / 2; }\nint total("}},
       21,
       /*isExactUnbuilt=*/false},
      {"a function that nobody calls", {{"text.cpp", "return number;", "return number + 1;"}}, 21},
      {"a tail is there twice",
       {{"text.cpp", "    note(1);\n", "  {\n    note(1);\n    return note(3);\n  }\n"}},
       21},
      {"a side that one test does not take is longer, so that edges get other numbers",
       {{"shape.cpp", "    kind = 2;", "    kind = note(number) ? note(2) : note(3);"}},
       19},
      {"an inline function that several units share",
       {{"shape.h", "return 0;\n  return value;", "return 0 * value;\n  return value;"}},
       20},
      {"a template", {{"shape.h", "    return b;", "    return b + 0;"}}, 20},
      {"a function in a system header",
       {{"third_party/vendor.h", "return 5;", "return 2 + 3;"}},
       19},
      {"a function in a system header, in meaning",
       {{"third_party/vendor.h", "return 5;", "return value > 6 ? 5 : 4;"}},
       19},
      {"an override is added",
       {{"shape.h", "using Square::Square;",
         "using Square::Square;\n  int area() const override { return 9; }"}},
       20},
      {"a static initialiser",
       {{"early.cpp", "sum += i == 0 ? 1 : i;", "sum += i == 0 ? 1 : i * 1;"}},
       2},
      {"a static initialiser is added",
       {{"early.cpp", "int started()",
         "static const int kMore = start();\nint more() { return kMore; }\nint started()"}},
       2},
      {"what a handler does", {{"shape.cpp", "return -count;", "return 0 - count;"}}, 20},
      {"a file that a test reads", {{"data.txt", "some", "other"}}, 20},
      {"a test is added",
       {{"more_test.cpp", "TEST(Zero, Below)",
         "TEST(Largest, Same) { EXPECT_EQ(largest(1, 1), 1); }\nTEST(Zero, Below)"}},
       21},
      {"a test is removed",
       {{"more_test.cpp", "TEST(Zero, Below) { EXPECT_EQ(atLeastZero(-1), 0); }", ""}},
       20},
      {"in a library that is loaded", {{"plugin.cpp", "return 1;", "return 2 - 1;"}}, 20},
  };
  for (const Row &row : rows) {
    SUBCASE(row.edit) { CHECK(checkCarried(row.changes, row.isExactUnbuilt) == row.skipped); }
  }
}
