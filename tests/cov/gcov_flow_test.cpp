#include "cov/gcov_image.h"
#include "cov/gcov_notes.h"
#include "tests/cov/gcc_program.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>

#include <map>

using namespace retest;

namespace {

/// By function: its number of blocks, how many were executed, and how often it was entered.
using Summary = std::map<std::string, std::string>;

const std::vector<std::string> kSources = {"main.cpp", "shapes.cpp"};

void copySources(const TemporaryDirectory &directory) {
  for (const char *file : {"main.cpp", "shapes.cpp", "shapes.h"})
    std::filesystem::copy_file(std::string(GCOV_SOURCES) + "/" + file, directory / file);
}

/// What GCC's own runtime and its program `gcov` say, by source.
std::map<std::string, Summary> byGcov(const std::string &argument) {
  TemporaryDirectory directory;
  copySources(directory);
  std::vector<std::string> link = {"g++", "--coverage", "-o", "program"};
  for (const std::string &source : kSources) {
    runThere(directory.path(), {"g++", "-w", "--coverage", "-c", source, "-o", source + ".o"});
    link.push_back(source + ".o");
  }
  runThere(directory.path(), link);
  runThere(directory.path(), {directory / "program", argument});
  std::map<std::string, Summary> all;
  for (const std::string &source : kSources) {
    std::string text =
        runThere(directory.path(), {"gcov", "--json-format", "--stdout", source + ".gcda"});
    llvm::json::Value document = llvm::cantFail(llvm::json::parse(text));
    for (const llvm::json::Value &file : *document.getAsObject()->getArray("files"))
      for (const llvm::json::Value &each : *file.getAsObject()->getArray("functions")) {
        const llvm::json::Object &function = *each.getAsObject();
        all[source][function.getString("name")->str()] =
            fmt::format("{}/{} {}", *function.getInteger("blocks_executed"),
                        *function.getInteger("blocks"), *function.getInteger("execution_count"));
      }
  }
  return all;
}

/// What we read from the memory of a process. As gcov does it, the end counts as a block, and the
/// last block does not.
std::map<std::string, Summary> byImage(const TemporaryDirectory &directory,
                                       const std::string &argument) {
  CountedRun run = runCounted(directory, {directory / "program", argument});
  REQUIRE(run.counters.size() == 1);
  REQUIRE(run.counters[0].hasEnded);
  GcovImage image = llvm::cantFail(GcovImage::load(directory / "program"));
  CHECK(image.buildId == run.counters[0].buildId);
  REQUIRE(image.counterCount == run.counters[0].counters.size());
  std::map<std::string, Summary> all;
  for (const GcovObject &object : image.objects) {
    GcovNotes notes = llvm::cantFail(GcovNotes::load(object.stem + ".gcno"));
    CHECK(notes.stamp == object.stamp);
    for (const GcovCounters &counters : object.functions) {
      auto function = llvm::find_if(notes.functions, [&](const GcovFunction &each) {
        return each.ident == counters.ident && each.flowChecksum == counters.flowChecksum;
      });
      REQUIRE(function != notes.functions.end());
      auto counts =
          blockCounts(*function, llvm::ArrayRef(run.counters[0].counters)
                                     .slice(counters.firstCounter, counters.counterCount));
      REQUIRE(counts);
      auto executed = std::count_if(counts->begin() + 1, counts->end() - 1,
                                    [](std::int64_t count) { return count != 0; });
      all[std::filesystem::path(object.stem).filename()][function->symbol] =
          fmt::format("{}/{} {}", executed, counts->size() - 2, counts->front());
    }
  }
  return all;
}

GcovFunction functionWith(std::vector<GcovArc> arcs, std::uint32_t blocks) {
  GcovFunction function;
  function.lines.resize(blocks);
  function.arcs = std::move(arcs);
  for (const GcovArc &arc : function.arcs)
    function.counterCount += !arc.isOnTree;
  return function;
}

} // namespace

TEST_CASE("flow: block by block what gcov says") {
  TemporaryDirectory directory;
  copySources(directory);
  buildWithGcc(directory.path(), kSources, "program");
  for (std::string argument : {"0", "1", "2", "3", "4", "5", "6", "11"}) {
    CAPTURE(argument);
    std::map<std::string, Summary> expected = byGcov(argument),
                                   found = byImage(directory, argument);
    for (const std::string &source : kSources) {
      CAPTURE(source);
      CHECK(expected[source].size() >= 5);
      for (const auto &[function, summary] : expected[source]) {
        CAPTURE(function);
        CHECK(found[source][function] == summary);
      }
    }
  }
  CHECK(!hasProfiles(directory.path()));
}

TEST_CASE("flow: counts that contradict each other are not solved") {
  // if: 0 -> 2 ; 2 -T-> 3 ; 2 -F-> 4 ; 3 -> 4 ; 4 -> 1, counted: 0 -> 2 and 2 -> 3
  GcovFunction branch =
      functionWith({{0, 2, false}, {2, 3, false}, {2, 4, true}, {3, 4, true}, {4, 1, true}}, 5);
  using Counts = std::vector<std::int64_t>;
  CHECK(blockCounts(branch, {5, 2}) == Counts{5, 5, 5, 2, 5});
  CHECK(blockCounts(branch, {5, 0}) == Counts{5, 5, 5, 0, 5});
  CHECK(!blockCounts(branch, {2, 5})); // more went one way than came
  CHECK(!blockCounts(branch, {5}));
  // No counter anywhere in a circle: that is no tree.
  CHECK(!blockCounts(functionWith({{0, 2, false}, {2, 3, true}, {3, 2, true}, {3, 1, true}}, 4),
                     {1}));
}

TEST_CASE("notes: damaged files are refused") {
  TemporaryDirectory directory;
  directory.write("f.cpp", "int f(int x) { return x > 1 ? 2 : 3; }\n");
  runThere(directory.path(), {"g++", "--coverage", "-c", "f.cpp", "-o", "f.o"});
  std::ifstream file(directory / "f.gcno", std::ios::binary);
  std::string whole(std::istreambuf_iterator<char>(file), {});
  auto load = [&](const std::string &content) {
    return GcovNotes::load(directory.write("damaged.gcno", content));
  };
  GcovNotes notes = llvm::cantFail(load(whole));
  REQUIRE(notes.functions.size() == 1);
  CHECK(notes.functions[0].symbol == "_Z1fi");
  CHECK(notes.files == std::vector<std::string>{directory / "f.cpp"});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    llvm::Expected<GcovNotes> cut = load(whole.substr(0, size));
    bool isWhole = cut && cut->functions.size() == 1 &&
                   cut->functions[0].arcs.size() == notes.functions[0].arcs.size() &&
                   cut->functions[0].lines == notes.functions[0].lines;
    CHECK(!isWhole);
    llvm::consumeError(cut.takeError());
  }
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string other = whole;
    other[place] = static_cast<char>(~other[place]);
    llvm::consumeError(load(other).takeError()); // whatever it says, no crash
  }
  std::string newer = whole;
  newer[7] = 'C'; // GCC 22
  llvm::Expected<GcovNotes> unknown = load(newer);
  CHECK(llvm::StringRef(llvm::toString(unknown.takeError())).contains("GCC 22"));
}
