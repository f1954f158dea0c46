#include "cov/gcov_module.h"

#include "cov/gcov_witness.h"
#include "support/error.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace {

bool contains(const SourceRange &range, NameId file, std::uint32_t line) {
  return range.begin.file == file && range.begin.line <= line &&
         line <= std::max(range.begin.line, range.end.line);
}

bool contains(const SourceRange &outer, const SourceRange &inner) {
  return contains(outer, inner.begin.file, inner.begin.line) &&
         contains(outer, inner.end.file, inner.end.line);
}

/// "..UlvE_clEv", "..UlvE0_clEv" for the second one of its context. The function around it may have
/// "_cl" in its name as well.
bool isLambda(llvm::StringRef symbol) {
  if (!symbol.contains("Ul"))
    return false;
  constexpr llvm::StringLiteral kCall = "_cl";
  for (std::size_t at = symbol.find(kCall); at != llvm::StringRef::npos;
       at = symbol.find(kCall, at + 1))
    if (symbol.take_front(at).rtrim("0123456789").ends_with("E"))
      return true;
  return false;
}

/// The functions of one name, of a unit if that has some. Those without probes count where it is
/// asked whether the name tells which one is meant.
NamedFunctions functionsNamed(llvm::StringRef symbol, const Symbols &symbols,
                              std::optional<UnitId> unit, const Project &project) {
  std::vector<FunctionId> chosen =
      candidates(symbol, symbols, [&](UnitId each) { return unit && each == *unit; });
  bool isUncertain = chosen.size() > 1 && llvm::any_of(chosen, [&](FunctionId id) {
                       return project[id].linkage == Linkage::Internal;
                     });
  llvm::erase_if(chosen, [&](FunctionId id) { return !hasProbe(project[id]); });
  return {chosen, isUncertain};
}

/// Runs what is to be done before main, for the whole unit.
bool isInitialiser(llvm::StringRef symbol) {
  return symbol.starts_with("_Z41__static_initialization_and_destruction_0") ||
         symbol.starts_with("_GLOBAL__sub_");
}

} // namespace

std::string objectStem(llvm::StringRef path) {
  llvm::SmallString<256> directory;
  if (llvm::sys::fs::real_path(llvm::sys::path::parent_path(path), directory))
    directory = llvm::sys::path::parent_path(path);
  llvm::sys::path::append(directory, llvm::sys::path::filename(path));
  llvm::sys::path::replace_extension(directory, "");
  return directory.str().str();
}

llvm::Expected<std::unique_ptr<GcovModule>>
GcovModule::load(GcovImage image, const Project &project, const Names &names,
                 llvm::ArrayRef<UnitId> units, const UnitsByObject &unitsByObject,
                 FileNamer nameOf) {
  std::unique_ptr<GcovModule> module(new GcovModule(project, names));
  Symbols symbols = symbolsOf(project, names, units);
  for (const GcovObject &object : image.objects) {
    auto found = unitsByObject.find(objectStem(object.stem + ".o"));
    std::optional<UnitId> unit;
    if (found != unitsByObject.end())
      unit = found->second;
    if (llvm::Error failed = module->addObject(object, symbols, unit, units, nameOf))
      return error("{}: {}", image.path, llvm::toString(std::move(failed)));
  }
  module->image_ = std::move(image);
  return module;
}

llvm::Error GcovModule::addObject(const GcovObject &object, const Symbols &symbols,
                                  std::optional<UnitId> unit, llvm::ArrayRef<UnitId> units,
                                  FileNamer nameOf) {
  llvm::Expected<GcovNotes> notes = GcovNotes::load(object.stem + ".gcno");
  if (!notes)
    return notes.takeError();
  std::vector<NameId> &files = files_.emplace_back();
  for (const std::string &file : notes->files)
    files.push_back(names_.find(nameOf(file)));
  std::map<std::uint32_t, GcovFunction *> byIdent;
  for (GcovFunction &function : notes->functions)
    byIdent[function.ident] = &function;
  for (const GcovCounters &counters : object.functions) {
    auto found = byIdent.find(counters.ident);
    bool isSame = notes->stamp == object.stamp && found != byIdent.end() &&
                  found->second->lineChecksum == counters.lineChecksum &&
                  found->second->flowChecksum == counters.flowChecksum &&
                  found->second->counterCount == counters.counterCount;
    if (!isSame)
      return error("{}.gcno: of another compilation than the object", object.stem);
    auto mayBeIn = unit ? llvm::ArrayRef(*unit) : units;
    addFunction(std::move(*found->second), counters.firstCounter, symbols, unit, mayBeIn);
    byIdent.erase(found);
    const Probed &last = probed_.back();
    addInlined(last.notes, last.functions, mayBeIn);
  }
  return llvm::Error::success();
}

/// The lambdas around the place where the notes begin, without those around them in turn; several
/// if they share lines, or are instances of one template.
std::vector<FunctionId> GcovModule::lambdasAround(const GcovFunction &notes,
                                                  llvm::ArrayRef<UnitId> units) const {
  std::vector<FunctionId> lambdas;
  std::uint32_t lastBegin = 0;
  for (UnitId unit : units)
    for (FunctionId id : project_[unit].functions)
      if (const Function &function = project_[id];
          function.kind == FunctionKind::Lambda && hasProbe(function) &&
          contains(function.where, files_.back()[notes.file], notes.firstLine)) {
        lambdas.push_back(id);
        lastBegin = std::max(lastBegin, function.where.begin.line);
      }
  llvm::erase_if(lambdas,
                 [&](FunctionId id) { return project_[id].where.begin.line != lastBegin; });
  llvm::sort(lambdas);
  lambdas.erase(std::unique(lambdas.begin(), lambdas.end()), lambdas.end());
  return lambdas;
}

/// The compiler counts lambdas in its own way, so that the graph may have given a name to another
/// one: the place has to tell the same.
void GcovModule::compareWithPlace(NamedFunctions &named, const GcovFunction &notes,
                                  llvm::ArrayRef<UnitId> units) const {
  if (!isLambda(notes.symbol)) {
    named.isUncertain |= llvm::any_of(named.functions, [&](FunctionId id) {
      return (project_[id].linkage == Linkage::Internal || isNumbered(notes.symbol)) &&
             !contains(project_[id].where, files_.back()[notes.file], notes.firstLine);
    });
    return;
  }
  std::vector<FunctionId> there = lambdasAround(notes, units);
  if (named.functions.empty()) {
    named = {there, there.size() > 1};
    return;
  }
  bool isSame = !there.empty() && llvm::all_of(named.functions, [&](FunctionId id) {
    return llvm::is_contained(there, id);
  }) && llvm::all_of(there, [&](FunctionId id) { // instances of one template
    return project_[id].where.begin == project_[there.front()].where.begin;
  });
  if (isSame)
    return;
  named.isUncertain = true;
  llvm::append_range(named.functions, there);
  llvm::sort(named.functions);
  named.functions.erase(std::unique(named.functions.begin(), named.functions.end()),
                        named.functions.end());
}

void GcovModule::addFunction(GcovFunction notes, std::uint32_t firstCounter, const Symbols &symbols,
                             std::optional<UnitId> unit, llvm::ArrayRef<UnitId> units) {
  Probed probed;
  probed.object = files_.size() - 1;
  probed.firstCounter = firstCounter;
  NamedFunctions named = functionsNamed(notes.symbol, symbols, unit, project_);
  // What was made of a part or for another processor has its own name: "_Z1fv.avx2".
  llvm::StringRef name = llvm::StringRef(notes.symbol).split('.').first;
  bool isPart = name != notes.symbol;
  if (isPart && named.functions.empty())
    named = functionsNamed(name, symbols, unit, project_);
  compareWithPlace(named, notes, units);
  probed.functions = std::move(named.functions);
  probed.isUncertain = named.isUncertain;
  probed.isWhole = isPart || probed.functions.size() != 1 ||
                   !project_[probed.functions.front()].unmodelled.empty();
  probed.notes = std::move(notes);
  probed_.push_back(std::move(probed));
}

/// Lines of other functions in this one: they were compiled into it, and count here.
void GcovModule::addInlined(const GcovFunction &notes, llvm::ArrayRef<FunctionId> owners,
                            llvm::ArrayRef<UnitId> units) {
  std::set<std::pair<NameId, std::uint32_t>> foreign;
  NameId ownFile = files_.back()[notes.file];
  auto isOwn = [&](NameId file, std::uint32_t line) {
    if (file == ownFile && notes.firstLine <= line && line <= notes.lastLine)
      return true;
    return llvm::any_of(
        owners, [&](FunctionId owner) { return contains(project_[owner].where, file, line); });
  };
  for (const std::vector<GcovLine> &lines : notes.lines)
    for (const GcovLine &line : lines)
      if (NameId file = files_.back()[line.file]; file.isValid() && !isOwn(file, line.line))
        foreign.insert({file, line.line});
  if (foreign.empty())
    return;
  bool isInit = isInitialiser(notes.symbol);
  std::set<NameId> called; // by initialisers
  if (isInit)
    for (UnitId unit : units)
      for (FunctionId id : project_[unit].functions)
        if (project_[id].kind == FunctionKind::Initialiser)
          for (const Node &node : project_[id].flow.nodes)
            called.insert(node.call.callee);
  for (UnitId unit : units)
    for (FunctionId id : project_[unit].functions) {
      const SourceRange &where = project_[id].where;
      bool isAround = llvm::any_of(
          owners, [&](FunctionId owner) { return contains(where, project_[owner].where); });
      // A test is registered on the line where its function begins.
      std::uint32_t firstLine =
          where.begin.line + (isInit && !called.count(project_[id].name) ? 1 : 0);
      if (!isAround && llvm::any_of(foreign, [&](const auto &line) {
            return line.second >= firstLine && contains(where, line.first, line.second);
          }))
        inlined_.insert(id);
    }
}

const FlowWitness &GcovModule::witnessOf(Probed &probed) {
  if (!probed.witness)
    probed.witness = gcovWitness(project_[probed.functions.front()].flow, probed.notes,
                                 files_[probed.object], names_);
  return *probed.witness;
}

void GcovModule::addCrossed(Probed &probed, const ModuleCounters &process,
                            CrossedFunctions &crossed) {
  auto counters =
      llvm::ArrayRef(process.counters).slice(probed.firstCounter, probed.notes.counterCount);
  if (probed.functions.empty() ||
      llvm::all_of(counters, [](std::uint64_t count) { return count == 0; }))
    return;
  // Counts of several threads are not exact, and what they do next time may differ (rule 17).
  std::optional<std::vector<std::int64_t>> counts;
  bool isWhole = probed.isWhole || process.hadThreads;
  if (!isWhole) {
    counts = blockCounts(probed.notes, counters);
    inconsistencies_ += !counts;
  }
  if (!counts) {
    for (FunctionId function : probed.functions)
      addWhole(project_, function, crossed);
    return;
  }
  std::vector<RegionHit> hits;
  for (std::int64_t count : *counts)
    hits.push_back({count != 0, false});
  FunctionId function = probed.functions.front();
  CrossedEdges now = crossedEdges(project_[function].flow, witnessOf(probed), hits);
  inconsistencies_ += now.isInconsistent;
  llvm::BitVector &edges = crossed[function.value];
  edges.resize(now.edges.size());
  edges |= now.edges;
}

llvm::Error GcovModule::add(const ModuleCounters &process, FileNamer, CrossedFunctions &crossed) {
  if (process.buildId != image_.buildId || process.counters.size() != image_.counterCount)
    return error("{}: was built anew while its tests ran", image_.path);
  if (!process.hasEnded)
    return error("a process of it was killed, or left a function half-way by a signal, and GCC's "
                 "counters do not tell what it did until then");
  for (Probed &probed : probed_)
    addCrossed(probed, process, crossed);
  return llvm::Error::success();
}

void GcovModule::addProbed(std::vector<FunctionId> &functions) const {
  for (const Probed &probed : probed_)
    functions.insert(functions.end(), probed.functions.begin(), probed.functions.end());
}

void GcovModule::addUnreliable(std::vector<FunctionId> &functions) const {
  functions.insert(functions.end(), inlined_.begin(), inlined_.end());
  for (const Probed &probed : probed_)
    llvm::copy_if(probed.functions, std::back_inserter(functions), [&](FunctionId id) {
      // Of constexpr functions GCC leaves out whatever calls it can evaluate, also without
      // optimisation: `int n = f(2);`.
      return probed.isUncertain || project_[id].isConstexpr;
    });
}

void GcovModule::addWitnesses(WitnessCounts &counts, FileNamer) {
  for (Probed &probed : probed_) {
    if (probed.functions.empty())
      continue;
    const FlowGraph &flow = project_[probed.functions.front()].flow;
    FlowWitness none{std::vector<RegionList>(flow.nodes.size()),
                     std::vector<BranchSide>(flow.edges.size())};
    counts.add(flow, probed.isWhole ? none : exactPart(witnessOf(probed)));
  }
}

} // namespace retest
