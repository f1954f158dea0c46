#include "cov/probed_module.h"

#include "support/error.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace retest {

namespace {

/// Ways through a function that are remembered.
constexpr std::size_t kMostWays = 8;

/// Whether a unit ("src/a.cpp", "src/a.cpp@a.o") is compiled from a file, as the compiler names it.
bool isCompiledFrom(llvm::StringRef unit, llvm::StringRef file) {
  llvm::StringRef source = unit.split('@').first;
  return source == file ||
         (file.ends_with(source) && file.drop_back(source.size()).ends_with("/")) ||
         (source.ends_with(file) && source.drop_back(file.size()).ends_with("/"));
}

bool isInternal(const Function &function) { return function.linkage == Linkage::Internal; }

/// Of functions with one name and of internal linkage: those around the place where a record
/// begins, without those around them in turn. None if none is. Instances of one template stay
/// together, which their numbers told apart.
std::vector<FunctionId> innermostAt(const CountedFunction &counted, const Project &project,
                                    const Names &names, FileNamer nameOf,
                                    llvm::ArrayRef<FunctionId> functions) {
  std::vector<FunctionId> at;
  if (counted.regions.empty())
    return at;
  const auto &first = counted.regions.front();
  std::string file = nameOf(counted.files[first.FileID]);
  auto place = std::pair(first.LineStart, first.ColumnStart);
  llvm::copy_if(functions, std::back_inserter(at), [&](FunctionId id) {
    const SourceRange &where = project[id].where;
    return where.begin.isKnown() && names.text(where.begin.file) == file &&
           std::pair(where.begin.line, where.begin.column) <= place &&
           place <= std::pair(where.end.line, where.end.column);
  });
  if (at.empty())
    return at;
  auto last = std::ranges::max(at, {}, [&](FunctionId id) {
    return std::pair(project[id].where.begin.line, project[id].where.begin.column);
  });
  llvm::erase_if(
      at, [&](FunctionId id) { return project[id].where.begin != project[last].where.begin; });
  return at;
}

/// Whether no other record of the module has this name, as functions of internal linkage in units
/// of one name have.
using IsAlone = llvm::function_ref<bool(const CountedFunction &)>;

/// The compiler puts the unit before names of internal linkage, but without its directory.
NamedFunctions functionsNamed(const CountedFunction &counted, const Symbols &symbols,
                              const Project &project, const Names &names, FileNamer nameOf,
                              IsAlone isAlone) {
  bool hasDirectory = llvm::StringRef(counted.unit).contains('/');
  std::string file = hasDirectory ? nameOf(counted.unit) : counted.unit;
  std::vector<FunctionId> chosen =
      candidates(withoutNumbers(counted.symbol), symbols, [&](UnitId unit) {
        return !file.empty() && isCompiledFrom(names.text(project[unit].name), file);
      });
  const bool isOnly = chosen.size() == 1;
  llvm::erase_if(chosen, [&](FunctionId id) { return !hasProbe(project[id]); });
  if (!llvm::all_of(chosen, [&](FunctionId id) { return isInternal(project[id]); }))
    return {chosen, false}; // copies of a weak function: the linker keeps any
  std::vector<FunctionId> at = innermostAt(counted, project, names, nameOf, chosen);
  if (!at.empty())
    return {at, at.size() > 1};
  // What a macro of a library defines has no regions, but its name may be enough.
  bool isKnown =
      isOnly && counted.regions.empty() && !isNumbered(counted.symbol) && isAlone(counted);
  return {chosen, !isKnown};
}

} // namespace

ProbedModule::ProbedModule(CountedModule module, const Project &project, const Names &names,
                           llvm::ArrayRef<UnitId> units, FileNamer nameOf)
    : module_(std::move(module)), project_(project), names_(names) {
  Symbols symbols = symbolsOf(project, names, units);
  llvm::StringMap<unsigned> records; // by name
  auto keyOf = [](const CountedFunction &counted) { return counted.unit + ":" + counted.symbol; };
  for (const CountedFunction &counted : module_.functions)
    ++records[keyOf(counted)];
  auto isAlone = [&](const CountedFunction &counted) {
    return records.lookup(keyOf(counted)) == 1;
  };
  for (const CountedFunction &counted : module_.functions) {
    Probed probed;
    NamedFunctions named = functionsNamed(counted, symbols, project, names, nameOf, isAlone);
    const bool isVersion = named.functions.empty() && counted.symbol.find('.') != std::string::npos;
    if (isVersion) { // "_Z1fi.avx2": one of several bodies for different processors
      CountedFunction plain = counted;
      plain.symbol = plain.symbol.substr(0, plain.symbol.find('.'));
      named = functionsNamed(plain, symbols, project, names, nameOf, isAlone);
    }
    probed.functions = std::move(named.functions);
    probed.isUncertain = named.isUncertain || isVersion;
    probed.isWhole = probed.functions.size() != 1 || counted.regions.empty() || isVersion ||
                     !project[probed.functions.front()].unmodelled.empty();
    probed_.push_back(std::move(probed));
  }
  for (const CountedFunction &unemitted : module_.unemitted) {
    NamedFunctions named =
        functionsNamed(unemitted, symbols, project, names, nameOf, [](auto &) { return true; });
    // Its name has to tell which one it is, and nobody else may emit it.
    if (!isNumbered(unemitted.symbol) && !named.isUncertain && named.functions.size() == 1 &&
        !project[named.functions.front()].isEmittedElsewhere)
      unemitted_.push_back(named.functions.front());
  }
}

const FlowWitness &ProbedModule::witnessOf(std::size_t index, FileNamer nameOf) {
  Probed &probed = probed_[index];
  if (!probed.witness)
    probed.witness =
        retest::witnessOf(project_[probed.functions.front()].flow,
                          RegionFinder(module_.functions[index], names_, nameOf), names_);
  return *probed.witness;
}

void ProbedModule::addFunction(std::size_t index, const ModuleCounters &process, FileNamer nameOf,
                               CrossedFunctions &crossed) {
  const Probed &probed = probed_[index];
  // Counts of several threads are not exact, and what they do next time may differ (rule 17).
  if (probed.isWhole || process.hadThreads) {
    for (FunctionId function : probed.functions)
      addWhole(project_, function, crossed);
    return;
  }
  FunctionId function = probed.functions.front();
  const FlowGraph &flow = project_[function].flow;
  const CrossedEdges &now = crossedIn(index, process, nameOf);
  inconsistencies_ += now.isInconsistent;
  llvm::BitVector &edges = crossed[function.value];
  edges.resize(flow.edges.size());
  edges |= now.edges;
}

const CrossedEdges &ProbedModule::crossedIn(std::size_t index, const ModuleCounters &process,
                                            FileNamer nameOf) {
  Probed &probed = probed_[index];
  llvm::ArrayRef<std::uint64_t> counters = countersOf(index, process);
  if (llvm::ArrayRef(probed.lastCounters) == counters)
    return probed.ways.front().crossed;
  probed.lastCounters.assign(counters.begin(), counters.end());
  std::vector<RegionHit> hits = hitsOf(module_.functions[index], process.counters);
  auto way = llvm::find_if(probed.ways, [&](const Way &each) { return each.hits == hits; });
  if (way == probed.ways.end()) {
    const FlowGraph &flow = project_[probed.functions.front()].flow;
    CrossedEdges crossed = crossedEdges(flow, witnessOf(index, nameOf), hits);
    if (probed.ways.size() < kMostWays)
      probed.ways.emplace_back();
    way = probed.ways.end() - 1;
    *way = {std::move(hits), std::move(crossed)};
  }
  std::rotate(probed.ways.begin(), way, way + 1);
  return probed.ways.front().crossed;
}

llvm::ArrayRef<std::uint64_t> ProbedModule::countersOf(std::size_t index,
                                                       const ModuleCounters &process) const {
  const CountedFunction &counted = module_.functions[index];
  return llvm::ArrayRef(process.counters).slice(counted.firstCounter, counted.counterCount);
}

llvm::Error ProbedModule::add(const ModuleCounters &process, FileNamer nameOf,
                              CrossedFunctions &crossed) {
  if (process.buildId != module_.buildId || process.counters.size() != module_.counterCount)
    return error("{}: was built anew while its tests ran", module_.path);
  for (std::size_t i = 0; i < module_.functions.size(); ++i)
    if (llvm::any_of(countersOf(i, process), [](std::uint64_t count) { return count != 0; }))
      addFunction(i, process, nameOf, crossed);
  return llvm::Error::success();
}

void ProbedModule::addProbed(std::vector<FunctionId> &functions) const {
  for (const Probed &probed : probed_)
    functions.insert(functions.end(), probed.functions.begin(), probed.functions.end());
}

void ProbedModule::addUnemitted(std::vector<FunctionId> &functions) const {
  llvm::append_range(functions, unemitted_);
}

void ProbedModule::addUnreliable(std::vector<FunctionId> &functions) const {
  // Other counters may be theirs, under names that only the compiler knows.
  for (const Probed &probed : probed_)
    if (probed.isUncertain)
      functions.insert(functions.end(), probed.functions.begin(), probed.functions.end());
}

void ProbedModule::addWitnesses(WitnessCounts &counts, FileNamer nameOf) {
  for (std::size_t i = 0; i < probed_.size(); ++i) {
    if (probed_[i].functions.empty())
      continue;
    const FlowGraph &flow = project_[probed_[i].functions.front()].flow;
    FlowWitness none{std::vector<RegionList>(flow.nodes.size()),
                     std::vector<BranchSide>(flow.edges.size())};
    counts.add(flow, probed_[i].isWhole ? none : witnessOf(i, nameOf));
  }
}

} // namespace retest
