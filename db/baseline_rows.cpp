#include "db/baseline_rows.h"

#include "db/coverage_writer.h"
#include "db/parse_cache.h"
#include "db/programs.h"
#include "db/unit_writer.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

std::vector<BaselineRow> baselineRows(Connection &connection) {
  SQLite::Statement rows(connection.database,
                         "SELECT id, name, commit_id, recorded_at, environment FROM baseline "
                         "ORDER BY id DESC");
  std::vector<BaselineRow> result;
  while (rows.executeStep())
    result.push_back({BaselineRowId{rows.getColumn(0).getUInt()},
                      {rows.getColumn(1).getString(), rows.getColumn(2).getString(),
                       rows.getColumn(3).getString(), rows.getColumn(4).getString()}});
  return result;
}

llvm::Expected<BaselineRow> findBaseline(Connection &connection, const std::string &name) {
  std::vector<BaselineRow> rows = baselineRows(connection);
  if (rows.empty())
    return error(ErrorKind::Store, "{}: holds no baseline; `retest record` makes one",
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

llvm::Expected<BaselineIndex> loadIndex(Connection &connection, const BaselineRow &row) {
  auto units = loadStoredUnits(
      connection, fmt::format("SELECT {} FROM unit JOIN baseline_unit ON unit = unit.id "
                              "WHERE baseline = {} ORDER BY name, unit.id",
                              kStoredUnitColumns, row.id.value));
  if (!units)
    return damaged(connection.path, units.takeError());
  auto files = loadFiles(connection);
  if (!files)
    return damaged(connection.path, files.takeError());
  return BaselineIndex{row.id, row.info, std::move(*units), std::move(*files)};
}

llvm::Expected<Baseline> loadBaseline(Connection &connection, PackReader &packs,
                                      const BaselineRow &row, Names &names) {
  auto index = loadIndex(connection, row);
  if (!index)
    return index.takeError();
  Baseline baseline{row.id, row.info, {}, loadPlan(connection.database, row.id.value, names)};
  for (const StoredUnit &stored : index->units) {
    auto unit = loadUnit(connection, packs, index->files, stored, names);
    if (!unit)
      return damaged(connection.path, unit.takeError());
    baseline.units.push_back(std::move(*unit));
  }
  return baseline;
}

namespace {

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

BaselineRowId insertRow(SQLite::Database &database, const BaselineInfo &info,
                        const std::vector<UnitRowId> &units) {
  SQLite::Statement insert(database, "INSERT INTO baseline (name, commit_id, recorded_at, "
                                     "environment) VALUES (?, ?, ?, ?)");
  insert.bind(1, info.name);
  insert.bind(2, info.commit);
  insert.bind(3, info.recordedAt);
  insert.bind(4, info.environment);
  insert.exec();
  BaselineRowId baseline{static_cast<std::uint32_t>(database.getLastInsertRowid())};
  SQLite::Statement link(database, "INSERT OR IGNORE INTO baseline_unit VALUES (?, ?)");
  for (UnitRowId unit : units) {
    link.reset();
    link.bind(1, baseline.value);
    link.bind(2, unit.value);
    link.exec();
  }
  return baseline;
}

} // namespace

llvm::Expected<Removed> insertBaseline(Connection &connection, const BaselineParts &parts) {
  // The units first: what the replaced baseline shares with them is not written again.
  auto units = addUnits(connection, parts.units);
  if (!units)
    return units.takeError();
  Removed removed = removeBaselineRow(connection.database, parts.info.name);
  BaselineRowId row = insertRow(connection.database, parts.info, *units);
  if (parts.plan.plan)
    savePlan(connection.database, row.value, *parts.plan.plan, *parts.plan.names);
  if (parts.coverage)
    if (llvm::Error refused = saveCoverage(connection, row.value, *parts.coverage))
      return refused;
  return removed;
}

Removed removeBaselineRow(SQLite::Database &database, const std::string &name) {
  SQLite::Statement files(database, "SELECT 1 FROM file_use JOIN baseline ON baseline.id = "
                                    "baseline WHERE name = ? LIMIT 1");
  files.bind(1, name);
  bool usedFiles = files.executeStep();
  SQLite::Statement remove(database, "DELETE FROM baseline WHERE name = ?");
  remove.bind(1, name);
  return {remove.exec() != 0, usedFiles};
}

llvm::Error removeUnused(Connection &connection, Removed removed) {
  int units =
      connection.database.exec("DELETE FROM unit WHERE id NOT IN (SELECT unit FROM baseline_unit)");
  if (units == 0 && !removed.usedFiles)
    return llvm::Error::success();
  if (llvm::Error problem = collectGarbage(connection))
    return damaged(connection.path, std::move(problem));
  return llvm::Error::success();
}

} // namespace retest
