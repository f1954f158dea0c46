#include "db/store.h"

#include "db/parse_cache.h"
#include "db/programs.h"
#include "db/unit_writer.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

namespace retest {
namespace {

struct BaselineRow {
  std::int64_t id;
  BaselineInfo info;
};

std::vector<BaselineRow> baselineRows(Connection &connection) {
  SQLite::Statement rows(connection.database,
                         "SELECT id, name, commit_id, recorded_at, environment FROM baseline "
                         "ORDER BY id DESC");
  std::vector<BaselineRow> result;
  while (rows.executeStep())
    result.push_back({rows.getColumn(0).getInt64(),
                      {rows.getColumn(1).getString(), rows.getColumn(2).getString(),
                       rows.getColumn(3).getString(), rows.getColumn(4).getString()}});
  return result;
}

llvm::Expected<BaselineRow> findBaseline(Connection &connection, const std::string &name) {
  std::vector<BaselineRow> rows = baselineRows(connection);
  if (rows.empty())
    return error(ErrorKind::Store, "{}: holds no baseline; `retest record --graph-only` makes one",
                 connection.path);
  for (BaselineRow &row : rows)
    if (name.empty() || row.info.name == name)
      return row;
  // A commit may be shortened.
  constexpr std::size_t kShortest = 7;
  auto begins = [&](const BaselineRow &row) {
    return name.size() >= kShortest && llvm::StringRef(row.info.name).starts_with(name);
  };
  if (llvm::count_if(rows, begins) == 1)
    return *llvm::find_if(rows, begins);
  std::string known;
  for (const BaselineRow &row : rows)
    known += (known.empty() ? "" : ", ") + row.info.name;
  return error(ErrorKind::Usage, "{}: no baseline is named '{}'; it holds {}", connection.path,
               name, known);
}

llvm::Expected<BaselineIndex> indexOf(Connection &connection, const std::string &name) {
  auto row = findBaseline(connection, name);
  if (!row)
    return row.takeError();
  auto units = loadStoredUnits(
      connection, fmt::format("SELECT {} FROM unit JOIN baseline_unit ON unit = unit.id "
                              "WHERE baseline = {} ORDER BY name, unit.id",
                              kStoredUnitColumns, row->id));
  if (!units)
    return damaged(connection.path, units.takeError());
  auto files = loadFiles(connection);
  if (!files)
    return damaged(connection.path, files.takeError());
  return BaselineIndex{std::move(row->info), std::move(*units), std::move(*files)};
}

void insertBaseline(SQLite::Database &database, const BaselineInfo &info,
                    const std::vector<UnitRowId> &units, const NamedPlan &plan) {
  SQLite::Statement insert(database, "INSERT INTO baseline (name, commit_id, recorded_at, "
                                     "environment) VALUES (?, ?, ?, ?)");
  insert.bind(1, info.name);
  insert.bind(2, info.commit);
  insert.bind(3, info.recordedAt);
  insert.bind(4, info.environment);
  insert.exec();
  std::int64_t baseline = database.getLastInsertRowid();
  SQLite::Statement link(database, "INSERT OR IGNORE INTO baseline_unit VALUES (?, ?)");
  for (UnitRowId unit : units) {
    link.reset();
    link.bind(1, baseline);
    link.bind(2, unit.value);
    link.exec();
  }
  if (plan.plan)
    savePlan(database, baseline, *plan.plan, *plan.names);
}

llvm::Expected<std::vector<UnitRowId>> addUnits(Connection &connection,
                                                const BaselineUnits &units) {
  UnitWriter writer(connection);
  std::vector<UnitRowId> ids;
  if (!units.cached.empty()) {
    Connection &cache = units.cache->connection();
    SQLite::Transaction snapshot(cache.database);
    auto copied = writer.copy(cache, units.cached);
    if (!copied)
      return damaged(cache.path, copied.takeError());
    ids = std::move(*copied);
  }
  for (const NamedUnit &unit : units.parsed)
    ids.push_back(writer.add(unit));
  writer.finish();
  return ids;
}

int removeRows(SQLite::Database &database, const std::string &name) {
  SQLite::Statement remove(database, "DELETE FROM baseline WHERE name = ?");
  remove.bind(1, name);
  return remove.exec();
}

/// Removes the units that no baseline has, and what only they needed.
llvm::Error removeUnused(Connection &connection) {
  int removed =
      connection.database.exec("DELETE FROM unit WHERE id NOT IN (SELECT unit FROM baseline_unit)");
  return removed == 0 ? llvm::Error::success() : collectGarbage(connection);
}

} // namespace

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
                                const NamedPlan &plan) {
  return guarded(connection_->path, [&]() -> llvm::Error {
    SQLite::Transaction transaction(connection_->database, SQLite::TransactionBehavior::IMMEDIATE);
    auto ids = addUnits(*connection_, units);
    if (!ids)
      return ids.takeError();
    removeRows(connection_->database, info.name);
    insertBaseline(connection_->database, info, *ids, plan);
    if (llvm::Error problem = removeUnused(*connection_))
      return damaged(connection_->path, std::move(problem));
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
    removeRows(connection_->database, row->info.name);
    if (llvm::Error problem = removeUnused(*connection_))
      return damaged(connection_->path, std::move(problem));
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

llvm::Expected<BaselineIndex> Store::loadIndex(const std::string &name) {
  return guarded(connection_->path, [&]() -> llvm::Expected<BaselineIndex> {
    SQLite::Transaction snapshot(connection_->database);
    return indexOf(*connection_, name);
  });
}

llvm::Expected<Baseline> Store::loadBaseline(const std::string &name, Names &names) {
  return guarded(connection_->path, [&]() -> llvm::Expected<Baseline> {
    SQLite::Transaction snapshot(connection_->database);
    auto index = indexOf(*connection_, name);
    if (!index)
      return index.takeError();
    auto row = findBaseline(*connection_, index->info.name);
    if (!row)
      return row.takeError();
    Baseline baseline{std::move(index->info), {}, loadPlan(connection_->database, row->id, names)};
    for (const StoredUnit &stored : index->units) {
      auto unit = loadUnit(*connection_, *packs_, index->files, stored, names);
      if (!unit)
        return damaged(connection_->path, unit.takeError());
      baseline.units.push_back(std::move(*unit));
    }
    return baseline;
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

llvm::Expected<std::vector<UnitRowId>>
Store::unitsDefining(const BaselineIndex &index,
                     llvm::function_ref<bool(llvm::StringRef)> matches) {
  return guarded(connection_->path, [&]() -> llvm::Expected<std::vector<UnitRowId>> {
    SQLite::Transaction snapshot(connection_->database);
    auto found = definitionsNamed(*connection_, matches);
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

llvm::Error Store::check() {
  return guarded(connection_->path, [&]() -> llvm::Error {
    std::string verdict = connection_->database.execAndGet("PRAGMA integrity_check").getString();
    if (verdict != "ok")
      return damaged(connection_->path, error("{}", verdict));
    for (const BaselineRow &row : baselineRows(*connection_)) {
      Names names;
      auto baseline = loadBaseline(row.info.name, names);
      if (!baseline)
        return baseline.takeError();
    }
    return llvm::Error::success();
  });
}

} // namespace retest
