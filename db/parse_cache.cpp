#include "db/parse_cache.h"

#include "db/unit_writer.h"

#include <sqlite3.h>

#include <algorithm>
#include <unistd.h>

namespace retest {
namespace {

// Enough for a developer who goes to and fro between branches.
constexpr int kVersionsPerUnit = 4;
// After so many units went, look for what only they needed.
constexpr int kPrunedUnits = 32;

constexpr const char *kBegunAnew = " (begun anew)";
constexpr const char *kWithoutIt = " (going on without it)";

/// What is wrong, without the advice for a damaged store: here it is put right at once.
std::string faultOf(llvm::Error problem) {
  std::string fault;
  llvm::handleAllErrors(
      std::move(problem), [&](const Damage &damage) { fault = damage.fault(); },
      [&](const llvm::ErrorInfoBase &other) { fault = other.message(); });
  return fault;
}

/// SQLite opens a file that is write-protected without complaint, and refuses to write later.
bool isReadOnly(SQLite::Database &database) {
  return sqlite3_db_readonly(database.getHandle(), "main") == 1;
}

void removeFiles(const std::string &path) {
  for (const char *suffix : {"", "-wal", "-shm", "-journal"})
    unlink((path + suffix).c_str());
}

int prune(SQLite::Database &database, const std::string &unit) {
  SQLite::Statement remove(database,
                           "DELETE FROM unit WHERE name = ?1 AND id NOT IN (SELECT id FROM unit "
                           "WHERE name = ?1 ORDER BY id DESC LIMIT ?2)");
  remove.bind(1, unit);
  remove.bind(2, kVersionsPerUnit);
  return remove.exec();
}

llvm::Error collect(Connection &connection, int pruned) {
  SQLite::Database &database = connection.database;
  database.exec("INSERT OR IGNORE INTO cache_state VALUES (1, x'', 0)");
  database.exec(fmt::format("UPDATE cache_state SET pruned = pruned + {}", pruned));
  if (database.execAndGet("SELECT pruned FROM cache_state").getInt() < kPrunedUnits)
    return llvm::Error::success();
  database.exec("UPDATE cache_state SET pruned = 0");
  return collectGarbage(connection);
}

llvm::Expected<std::vector<UnitRowId>> saveUnits(Connection &connection,
                                                 const std::vector<NamedUnit> &units) {
  SQLite::Transaction transaction(connection.database, SQLite::TransactionBehavior::IMMEDIATE);
  UnitWriter writer(connection);
  std::vector<UnitRowId> ids;
  for (const NamedUnit &unit : units)
    ids.push_back(writer.add(unit));
  writer.finish();
  int pruned = 0;
  for (const NamedUnit &unit : units)
    pruned += prune(connection.database, unit.unit->name);
  if (pruned != 0)
    if (llvm::Error problem = collect(connection, pruned))
      return damaged(connection.path, std::move(problem));
  transaction.commit();
  return ids;
}

} // namespace

ParseCache::ParseCache() = default;
ParseCache::ParseCache(ParseCache &&) = default;
ParseCache &ParseCache::operator=(ParseCache &&) = default;
ParseCache::~ParseCache() = default;

ParseCache ParseCache::open(const std::string &path) {
  ParseCache cache;
  cache.connect(path);
  llvm::Error problem = cache.loadIndex();
  if (problem && !cache.isReadOnly_) {
    cache.beginAnew(std::move(problem));
    problem = cache.loadIndex();
  }
  if (problem) { // in a place where it cannot be removed
    cache.notes_.push_back(faultOf(std::move(problem)) + kWithoutIt);
    cache.useMemory();
  }
  return cache;
}

void ParseCache::connect(const std::string &path) {
  auto connection = openConnection(path, FileKind::Cache, OpenMode::Write);
  if (!connection && connection.errorIsA<Damage>()) {
    notes_.push_back(faultOf(connection.takeError()) + kBegunAnew);
    removeFiles(path);
    connection = openConnection(path, FileKind::Cache, OpenMode::Write);
  }
  if (connection && !isReadOnly((*connection)->database))
    return use(std::move(*connection));

  // What others have parsed is worth having, also where nothing can be added.
  std::string fault;
  if (!connection) {
    fault = faultOf(connection.takeError());
    connection = openConnection(path, FileKind::Cache, OpenMode::Read);
  }
  if (connection) {
    notes_.push_back(path + ": cannot be written; it is used as it is, and what is parsed now is "
                            "not kept; let your user write it and its directory");
    use(std::move(*connection));
    isReadOnly_ = true;
    return;
  }
  llvm::consumeError(connection.takeError()); // the first one says more
  notes_.push_back(fault + kWithoutIt);
  useMemory();
}

void ParseCache::use(std::unique_ptr<Connection> connection) {
  packs_.reset();
  connection_ = std::move(connection);
  packs_ = std::make_unique<PackReader>(*connection_);
  isReadOnly_ = false;
}

void ParseCache::useMemory() {
  use(llvm::cantFail(openConnection(":memory:", FileKind::Cache, OpenMode::Write)));
}

void ParseCache::beginAnew(llvm::Error cause) {
  std::string path = connection_->path;
  notes_.push_back(faultOf(std::move(cause)) + kBegunAnew);
  packs_.reset();
  connection_.reset();
  removeFiles(path);
  connect(path);
  // Numbers that were given out before must not come to mean other units.
  llvm::Error problem = guarded(path, [&]() -> llvm::Error {
    SQLite::Statement start(connection_->database,
                            "INSERT INTO sqlite_sequence (name, seq) VALUES ('unit', ?)");
    start.bind(1, lastUnit_);
    start.exec();
    return llvm::Error::success();
  });
  if (problem)
    notes_.push_back(llvm::toString(std::move(problem)));
}

llvm::Error ParseCache::loadIndex() {
  return guarded(connection_->path, [&]() -> llvm::Error {
    SQLite::Transaction snapshot(connection_->database);
    auto units = loadStoredUnits(
        *connection_, fmt::format("SELECT {} FROM unit ORDER BY id DESC", kStoredUnitColumns));
    if (!units)
      return damaged(connection_->path, units.takeError());
    auto files = loadFiles(*connection_);
    if (!files)
      return damaged(connection_->path, files.takeError());
    units_ = std::move(*units);
    files_ = std::move(*files);
    for (const StoredUnit &unit : units_) {
      byName_[unit.name].push_back(&unit);
      lastUnit_ = std::max(lastUnit_, unit.id.value);
    }
    return llvm::Error::success();
  });
}

std::vector<const StoredUnit *> ParseCache::lookup(llvm::StringRef unit,
                                                   Fingerprint command) const {
  std::vector<const StoredUnit *> found;
  auto versions = byName_.find(unit);
  if (versions != byName_.end())
    for (const StoredUnit *version : versions->second)
      if (version->command == command)
        found.push_back(version);
  return found;
}

llvm::Expected<UnitRecord> ParseCache::load(const StoredUnit &unit, Names &names) {
  return guarded(connection_->path, [&]() -> llvm::Expected<UnitRecord> {
    SQLite::Transaction snapshot(connection_->database);
    auto loaded = loadUnit(*connection_, *packs_, files_, unit, names);
    if (!loaded)
      return damaged(connection_->path, loaded.takeError());
    return loaded;
  });
}

std::vector<UnitRowId> ParseCache::save(const std::vector<NamedUnit> &units) {
  if (isReadOnly_)
    return {};
  auto attempt = [&] {
    return guarded(connection_->path, [&] { return saveUnits(*connection_, units); });
  };
  auto ids = attempt();
  if (!ids && ids.errorIsA<Damage>()) {
    beginAnew(ids.takeError());
    ids = attempt();
  }
  if (!ids) {
    notes_.push_back(llvm::toString(ids.takeError()));
    return {};
  }
  for (UnitRowId id : *ids)
    lastUnit_ = std::max(lastUnit_, id.value);
  return std::move(*ids);
}

FileStates ParseCache::loadFileStates() {
  auto states = guarded(connection_->path, [&]() -> llvm::Expected<FileStates> {
    SQLite::Statement row(connection_->database, "SELECT file_states FROM cache_state");
    return row.executeStep() ? FileStates::decode(blobOf(row.getColumn(0))) : FileStates();
  });
  if (states)
    return std::move(*states);
  notes_.push_back(llvm::toString(states.takeError()));
  return {};
}

void ParseCache::saveFileStates(const FileStates &states) {
  if (!states.isChanged() || isReadOnly_)
    return;
  llvm::Error problem = guarded(connection_->path, [&]() -> llvm::Error {
    SQLite::Statement row(connection_->database, "INSERT INTO cache_state VALUES (1, ?1, 0) "
                                                 "ON CONFLICT (id) DO UPDATE SET file_states = ?1");
    bindBlob(row, 1, states.encode());
    row.exec();
    return llvm::Error::success();
  });
  if (problem)
    notes_.push_back(llvm::toString(std::move(problem)));
}

} // namespace retest
