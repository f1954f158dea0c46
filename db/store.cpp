#include "db/store.h"

#include "db/baseline_rows.h"
#include "db/coverage_reader.h"
#include "db/programs.h"
#include "db/units.h"

namespace retest {

Store::Store(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)), packs_(std::make_unique<PackReader>(*connection_)) {}
Store::Store(Store &&) = default;
Store &Store::operator=(Store &&) = default;
Store::~Store() = default;

llvm::Expected<Store> Store::open(const std::string &path, OpenMode mode) {
  auto connection = openConnection(path, FileKind::Store, mode);
  if (!connection)
    return connection.takeError();
  return Store(std::move(*connection));
}

llvm::Error Store::saveBaseline(const BaselineInfo &info, const BaselineUnits &units,
                                const NamedPlan &plan, const CoverageMatrix *coverage) {
  return guarded(connection_->path, [&]() -> llvm::Error {
    SQLite::Transaction transaction(connection_->database, SQLite::TransactionBehavior::IMMEDIATE);
    auto replaced = insertBaseline(*connection_, {info, units, plan, coverage});
    if (!replaced)
      return replaced.takeError();
    if (llvm::Error problem = removeUnused(*connection_, *replaced))
      return problem;
    transaction.commit();
    return llvm::Error::success();
  });
}

llvm::Error Store::removeBaseline(const std::string &name) {
  return guarded(connection_->path, [&]() -> llvm::Error {
    SQLite::Transaction transaction(connection_->database, SQLite::TransactionBehavior::IMMEDIATE);
    auto row = findBaseline(*connection_, name);
    if (!row)
      return row.takeError();
    Removed removed = removeBaselineRow(connection_->database, row->info.name);
    if (llvm::Error problem = removeUnused(*connection_, removed))
      return problem;
    transaction.commit();
    return llvm::Error::success();
  });
}

llvm::Expected<std::vector<BaselineInfo>> Store::listBaselines() {
  return guarded(connection_->path, [&]() -> llvm::Expected<std::vector<BaselineInfo>> {
    std::vector<BaselineInfo> result;
    for (BaselineRow &row : baselineRows(*connection_))
      result.push_back(std::move(row.info));
    return result;
  });
}

llvm::Expected<std::vector<BaselineInfo>> Store::listRecorded() {
  return guarded(connection_->path, [&]() -> llvm::Expected<std::vector<BaselineInfo>> {
    SQLite::Transaction snapshot(connection_->database);
    SQLite::Statement recorded(connection_->database, "SELECT 1 FROM coverage WHERE baseline = ?");
    std::vector<BaselineInfo> result;
    for (BaselineRow &row : baselineRows(*connection_)) {
      recorded.reset();
      recorded.bind(1, row.id.value);
      if (recorded.executeStep())
        result.push_back(std::move(row.info));
    }
    return result;
  });
}

llvm::Expected<ProgramPlan> Store::loadPlan(BaselineRowId baseline, Names &names) {
  return guarded(connection_->path, [&]() -> llvm::Expected<ProgramPlan> {
    SQLite::Transaction snapshot(connection_->database);
    return retest::loadPlan(connection_->database, baseline.value, names);
  });
}

llvm::Expected<BaselineIndex> Store::loadIndex(const std::string &name) {
  return guarded(connection_->path, [&]() -> llvm::Expected<BaselineIndex> {
    SQLite::Transaction snapshot(connection_->database);
    auto row = findBaseline(*connection_, name);
    if (!row)
      return row.takeError();
    return retest::loadIndex(*connection_, *row);
  });
}

llvm::Expected<Baseline> Store::loadBaseline(const std::string &name, Names &names) {
  return guarded(connection_->path, [&]() -> llvm::Expected<Baseline> {
    SQLite::Transaction snapshot(connection_->database);
    auto row = findBaseline(*connection_, name);
    if (!row)
      return row.takeError();
    return retest::loadBaseline(*connection_, *packs_, *row, names);
  });
}

llvm::Expected<std::optional<StoredCoverage>> Store::coverage(BaselineRowId baseline) {
  return guarded(connection_->path, [&]() -> llvm::Expected<std::optional<StoredCoverage>> {
    SQLite::Transaction snapshot(connection_->database);
    auto reader = CoverageReader::open(*connection_, baseline);
    if (!reader)
      return damaged(connection_->path, reader.takeError());
    if (!*reader)
      return std::nullopt;
    return StoredCoverage(*connection_, baseline);
  });
}

llvm::Expected<UnitGraph> Store::loadGraph(UnitRowId unit, Names &names) {
  return guarded(connection_->path, [&]() -> llvm::Expected<UnitGraph> {
    SQLite::Transaction snapshot(connection_->database);
    auto graph = loadUnitGraph(*connection_, *packs_, unit, names);
    if (!graph)
      return damaged(connection_->path, graph.takeError());
    auto headers = loadExternalHeaders(*connection_, unit, names);
    if (!headers)
      return damaged(connection_->path, headers.takeError());
    graph->externalHeaders = std::move(*headers);
    return graph;
  });
}

llvm::Expected<std::vector<SharedUnit>> Store::loadGraphs(const BaselineIndex &index,
                                                          Names &names) {
  return guarded(connection_->path, [&]() -> llvm::Expected<std::vector<SharedUnit>> {
    SQLite::Transaction snapshot(connection_->database);
    SharedUnitLoader loader(*connection_, *packs_, index.files, names);
    std::vector<SharedUnit> units;
    for (const StoredUnit &stored : index.units) {
      auto unit = loader.load(stored);
      if (!unit)
        return damaged(connection_->path, unit.takeError());
      units.push_back(std::move(*unit));
    }
    return units;
  });
}

llvm::Expected<std::vector<UnitRowId>>
Store::unitsDefining(const BaselineIndex &index,
                     llvm::function_ref<bool(llvm::StringRef)> matches) {
  return guarded(connection_->path, [&]() -> llvm::Expected<std::vector<UnitRowId>> {
    SQLite::Transaction snapshot(connection_->database);
    auto found = packs_->named(matches);
    if (!found)
      return damaged(connection_->path, found.takeError());
    std::vector<UnitRowId> units;
    for (const StoredUnit &unit : index.units) {
      auto definitions = loadDefinitions(*connection_, unit.id);
      if (!definitions)
        return damaged(connection_->path, definitions.takeError());
      bool isFound = false;
      definitions->forEach(
          [&](PlacedDefinition &definition) { isFound |= found->contains(definition.id.value); });
      if (isFound)
        units.push_back(unit.id);
    }
    return units;
  });
}

} // namespace retest
