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

std::vector<FunctionId> functionsNamed(const CountedFunction &counted, const Symbols &symbols,
                                       const Project &project, const Names &names,
                                       FileNamer nameOf) {
  std::vector<FunctionId> all, inUnit;
  auto found = symbols.find(counted.symbol);
  if (found == symbols.end())
    return all;
  std::string file = counted.unit.empty() ? "" : nameOf(counted.unit);
  for (const FunctionOfUnit &symbol : found->second) {
    all.push_back(symbol.function);
    if (!file.empty() && isCompiledFrom(names.text(project[symbol.unit].name), file))
      inUnit.push_back(symbol.function);
  }
  std::vector<FunctionId> &chosen = inUnit.empty() ? all : inUnit;
  llvm::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

} // namespace

ProbedModule::ProbedModule(CountedModule module, const Project &project, const Names &names,
                           llvm::ArrayRef<UnitId> units, FileNamer nameOf)
    : module_(std::move(module)), project_(project), names_(names) {
  Symbols symbols = symbolsOf(project, names, units);
  for (const CountedFunction &counted : module_.functions) {
    Probed probed;
    probed.functions = functionsNamed(counted, symbols, project, names, nameOf);
    probed.isWhole = probed.functions.size() != 1 || counted.regions.empty() ||
                     !project[probed.functions.front()].unmodelled.empty();
    probed_.push_back(std::move(probed));
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
