// Measures the store with a program of a hundred units: `store_bench DIRECTORY [NAMES]`. NAMES is
// a file of lines "mangled<TAB>printed"; without it names are made up. Prints the size of a
// function in the store, and the time of each step.

#include "db/parse_cache.h"
#include "db/store.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <fstream>
#include <random>

#include <sys/resource.h>

using namespace retest;

namespace {

constexpr unsigned kUnits = 100, kInputs = 400, kMissed = 300;
constexpr unsigned kFiles = 3000, kMissing = 5000;
constexpr unsigned kShared = 20'000, kOwn = 100, kSharedPerUnit = 2000;

double processorSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](timeval time) { return time.tv_sec + time.tv_usec * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Action> void measure(const char *what, const Action &action) {
  double start = processorSeconds();
  action();
  fmt::print("{:<44} {:8.2f} ms\n", what, (processorSeconds() - start) * 1000);
}

struct FunctionNames {
  NameId printed, mangled;
};

class Program {
public:
  Program(const std::string &root, const char *nameFile) : root_(root) {
    readNames(nameFile);
    for (unsigned i = 0; i < kShared; ++i)
      shared_.push_back(
          function(i, fmt::format("include/m{}/file_{}.h", i % 17, i * 200 / kShared)));
    for (unsigned i = 0; i < kUnits; ++i)
      addUnit(i);
  }

  std::vector<NamedUnit> named() const {
    std::vector<NamedUnit> result;
    for (const UnitRecord &unit : units)
      result.push_back({&unit, &names});
    return result;
  }
  unsigned functionCount() const { return kShared + kUnits * kOwn; }
  std::string path(unsigned file) const {
    return fmt::format("{}/include/module_{}/some_longer_file_name_{}.h", root_, file % 40, file);
  }

  Names names;
  std::deque<UnitRecord> units;

private:
  void readNames(const char *file) {
    std::string line;
    if (file)
      for (std::ifstream in(file); std::getline(in, line);) {
        std::size_t tab = line.find('\t');
        names_.push_back({names.intern(line.substr(tab + 1)), names.intern(line.substr(0, tab))});
      }
    while (names_.size() < kShared + kUnits * kOwn) {
      unsigned i = names_.size();
      std::string type =
          fmt::format("project::module{0}::detail::Container<project::module{1}::Item{2}, "
                      "std::allocator<project::module{1}::Item{2}>>",
                      i / 400, random_() % 20, random_() % 50);
      std::string method = fmt::format("{}_{}", i % 3 ? "update" : "find", i);
      names_.push_back(
          {names.intern(fmt::format("{}::{}({} const &, unsigned long)", type, method, type)),
           names.intern(fmt::format("_ZN7project8module{}6detail9ContainerINS_8module{}6Item{}E"
                                    "SaIS3_EE{}{}ERKS5_m",
                                    i / 400, random_() % 20, random_() % 50, method.size(),
                                    method))});
    }
  }

  // Nine elements and three to four calls; two of three to neighbours.
  Function function(unsigned number, const std::string &fileName) {
    NameId file = names.intern(fileName);
    Function function;
    function.name = names_[number].printed;
    function.symbols = {names_[number].mangled};
    function.fingerprint = {random_(), random_()};
    std::uint32_t line = 10 + random_() % 2000;
    function.where = {{file, line, 1}, {file, line + 9, 1}};
    llvm::StringRef name = names.text(function.name);
    function.ofClass = names.intern(name.substr(0, name.rfind("::")));
    function.flow.nodes.resize(2);
    unsigned calls = std::min(30, std::geometric_distribution<int>(0.22)(random_));
    for (unsigned call = 0; call <= calls; ++call) {
      Node node;
      for (unsigned i = 1 + random_() % 3; i > 0; --i) {
        line += random_() % 2;
        std::uint32_t column = 3 + random_() % 40;
        node.elements.push_back({random_(), {{file, line, column}, {file, line, column + 7}}});
      }
      if (call < calls) {
        node.kind = NodeKind::Call;
        unsigned any = std::pow((random_() % 10000) / 10000.0, 4) * names_.size();
        unsigned near = (number + random_() % 400) % names_.size();
        node.call.callee = names_[random_() % 3 ? near : any].printed;
      }
      if (random_() % 3 == 0)
        node.uses.push_back({UseKind::Layout, function.ofClass});
      node.locals = {static_cast<std::uint32_t>(random_() % 5)};
      function.flow.nodes.push_back(node);
      function.flow.edges.push_back(
          {NodeId{call ? call + 1 : 0}, NodeId{call + 2}, EdgeKind::Path, names.intern("")});
    }
    return function;
  }

  void addUnit(unsigned number) {
    UnitRecord unit;
    unit.name = unit.source = fmt::format("src/unit_{}.cpp", number);
    unit.object = unit.name + ".o";
    unit.command = {1, number};
    for (unsigned i = 0; i < kInputs; ++i) {
      unsigned file = i < 370 ? i : 370 + (number * 30 + i) % (kFiles - 370);
      unit.inputs.push_back({path(file), fingerprintOf(fmt::format("file {}", file))});
    }
    for (unsigned i = 0; i < kMissed; ++i)
      unit.missed.push_back(path(100'000 + (i < 250 ? i : (number * 50 + i) % kMissing)));
    unit.graph.name = names.intern(unit.name);
    // Neighbours overlap, and together they have all.
    unsigned start = number * (kShared - kSharedPerUnit) / (kUnits - 1);
    unit.graph.functions.assign(shared_.begin() + start, shared_.begin() + start + kSharedPerUnit);
    for (unsigned i = 0; i < kOwn; ++i)
      unit.graph.functions.push_back(function(kShared + number * kOwn + i, unit.name));
    units.push_back(std::move(unit));
  }

  std::string root_;
  std::mt19937_64 random_{1};
  std::vector<FunctionNames> names_;
  std::vector<Function> shared_;
};

void writeFiles(const Program &program) {
  for (unsigned file = 0; file < kFiles; ++file) {
    std::string path = program.path(file);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path) << "file " << file;
  }
}

/// What a run with nothing changed does.
void checkNothingChanged(const std::string &cachePath, const Program &program) {
  ParseCache cache = ParseCache::open(cachePath);
  FileStates states = cache.loadFileStates();
  Freshness freshness(cache.files(), states, [](llvm::StringRef name) { return name.str(); });
  unsigned fresh = 0;
  for (const UnitRecord &unit : program.units)
    for (const StoredUnit *version : cache.lookup(unit.name, unit.command))
      if (freshness.isUpToDate(version->files)) {
        ++fresh;
        break;
      }
  cache.saveFileStates(states);
  fmt::print("  {} of {} units up to date, {} files read\n", fresh, kUnits, states.reads());
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  std::string root = argv[1];
  std::string cachePath = root + "/cache.db", storePath = root + "/retest.db";
  for (const std::string &path : {cachePath, storePath})
    for (const char *suffix : {"", "-wal", "-shm"})
      std::filesystem::remove(path + suffix);
  Program program(root, argc > 2 ? argv[2] : nullptr);
  writeFiles(program);
  BaselineInfo info{"main", "", "", ""};

  std::vector<UnitRowId> ids;
  measure("save 100 units to the cache, 10 at a time", [&] {
    ParseCache cache = ParseCache::open(cachePath);
    std::vector<NamedUnit> units = program.named();
    for (unsigned i = 0; i < kUnits; i += 10)
      for (UnitRowId id : cache.save({units.begin() + i, units.begin() + i + 10}))
        ids.push_back(id);
  });
  measure("copy them to the store", [&] {
    ParseCache cache = ParseCache::open(cachePath);
    Store store = llvm::cantFail(Store::open(storePath, OpenMode::Write));
    llvm::cantFail(store.saveBaseline(info, {{}, &cache, ids}));
  });
  measure("save them again, nothing changed", [&] {
    ParseCache cache = ParseCache::open(cachePath);
    Store store = llvm::cantFail(Store::open(storePath, OpenMode::Write));
    llvm::cantFail(store.saveBaseline(info, {{}, &cache, ids}));
  });
  Store store = llvm::cantFail(Store::open(storePath, OpenMode::Read));
  measure("load the index of the baseline", [&] { llvm::cantFail(store.loadIndex("")); });
  BaselineIndex index = llvm::cantFail(store.loadIndex(""));
  measure("find a name", [&] {
    auto matches = [](llvm::StringRef name) { return name.contains("find_123("); };
    llvm::cantFail(store.unitsDefining(index, matches));
  });
  measure("load the graph of one unit", [&] {
    Names names;
    llvm::cantFail(store.loadGraph(index.units[50].id, names));
  });
  measure("load the whole baseline", [&] {
    Names names;
    llvm::cantFail(store.loadBaseline("", names));
  });
  fmt::print("files younger than two seconds are read each time; waiting\n");
  while (std::filesystem::file_time_type::clock::now() -
             std::filesystem::last_write_time(program.path(kFiles - 1)) <
         std::chrono::seconds(3)) {
  }
  measure("check, all files read", [&] { checkNothingChanged(cachePath, program); });
  for (int i = 0; i < 5; ++i)
    measure("check, nothing changed", [&] { checkNothingChanged(cachePath, program); });
  fmt::print("{} functions in {} units with {} each: {:.0f} bytes per function in the store\n",
             program.functionCount(), kUnits, kSharedPerUnit + kOwn,
             std::filesystem::file_size(storePath) / double(program.functionCount()));
}
