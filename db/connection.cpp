#include "db/connection.h"

#include "db/migrations.h"
#include "db/schema.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <sqlite3.h>

namespace retest {
namespace {

// Long enough for another process to store a large program.
constexpr int kBusyMilliseconds = 20'000;

int numberOf(SQLite::Database &database, const char *query) {
  return database.execAndGet(query).getInt();
}

bool isEmpty(SQLite::Database &database) {
  return numberOf(database, "PRAGMA application_id") == 0 &&
         numberOf(database, "PRAGMA user_version") == 0 &&
         numberOf(database, "SELECT count(*) FROM sqlite_master") == 0;
}

void createTables(SQLite::Database &database, FileKind kind) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  if (!isEmpty(database))
    return; // another process was faster
  database.exec(kSchema);
  database.exec(fmt::format("PRAGMA application_id = {}", static_cast<std::int32_t>(kind)));
  database.exec(fmt::format("PRAGMA user_version = {}", kSchemaVersion));
  transaction.commit();
}

llvm::Error checkIdentity(Connection &connection, FileKind kind) {
  const char *what = kind == FileKind::Store ? "retest store" : "parse cache of retest";
  const char *wayOut = kind == FileKind::Store ? "move it away, and `retest record` makes one"
                                               : "move it away, and the next run makes one";
  if (numberOf(connection.database, "PRAGMA application_id") != static_cast<std::int32_t>(kind))
    return error(ErrorKind::Store, "{}: not a {}; {}", connection.path, what, wayOut);
  int version = numberOf(connection.database, "PRAGMA user_version");
  if (version > kSchemaVersion)
    return error(ErrorKind::Store,
                 "{}: written by a newer retest (version {} of the tables; this program knows {}); "
                 "use that one, or {}",
                 connection.path, version, kSchemaVersion, wayOut);
  if (version < kOldestVersion) {
    std::string fault =
        fmt::format("{}: written by an older retest (version {} of the tables; this "
                    "program reads {} and newer)",
                    connection.path, version, kOldestVersion);
    if (kind == FileKind::Cache)
      return llvm::make_error<Damage>(fault); // begun anew
    return error(ErrorKind::Store, "{}; {}", fault, wayOut);
  }
  return llvm::Error::success();
}

/// Readers do not wait for writers in write-ahead mode, nor writers for readers. Where the file
/// system cannot share memory (network disks) SQLite keeps the mode it has; that works too.
void preferWriteAhead(SQLite::Database &database) {
  sqlite3_exec(database.getHandle(), "PRAGMA journal_mode = WAL", nullptr, nullptr, nullptr);
}

llvm::Expected<std::unique_ptr<Connection>> openToWrite(const std::string &path, FileKind kind) {
  llvm::StringRef directory = llvm::sys::path::parent_path(path);
  if (!directory.empty() && !llvm::sys::fs::is_directory(directory))
    return error(ErrorKind::Store, "{}: its directory does not exist; `mkdir -p {}` makes it", path,
                 directory.str());
  auto connection = std::make_unique<Connection>(
      Connection{path, SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                                        kBusyMilliseconds)});
  SQLite::Database &database = connection->database;
  if (isEmpty(database)) {
    preferWriteAhead(database);
    createTables(database, kind);
  }
  if (llvm::Error problem = checkIdentity(*connection, kind))
    return problem;
  preferWriteAhead(database);
  database.exec("PRAGMA foreign_keys = ON");
  // A store survives a power cut; a cache may lose its newest units to one.
  database.exec(kind == FileKind::Store ? "PRAGMA synchronous = FULL"
                                        : "PRAGMA synchronous = NORMAL");
  if (numberOf(database, "PRAGMA user_version") < kSchemaVersion)
    migrate(database, migrations());
  return connection;
}

/// A URI that tells SQLite that nobody writes the file, so that it needs no lock files beside.
std::string immutableUri(llvm::StringRef path) {
  std::string uri = "file:";
  for (unsigned char c : path) {
    if (llvm::isAlnum(c) || c == '/' || c == '.' || c == '_' || c == '-')
      uri += static_cast<char>(c);
    else
      uri += fmt::format("%{:02x}", c);
  }
  return uri + "?immutable=1";
}

bool cannotLock(SQLite::Database &database) {
  int result = sqlite3_exec(database.getHandle(), "SELECT count(*) FROM sqlite_master", nullptr,
                            nullptr, nullptr);
  return result == SQLITE_CANTOPEN || result == SQLITE_READONLY;
}

llvm::Expected<SQLite::Database> openToRead(const std::string &path) {
  SQLite::Database database(path, SQLite::OPEN_READONLY, kBusyMilliseconds);
  if (!cannotLock(database))
    return database;
  // In a read-only directory. The file alone is whole if no log lies beside it.
  std::uint64_t logSize = 0;
  if (!llvm::sys::fs::file_size(path + "-wal", logSize) && logSize != 0)
    return error(ErrorKind::Store,
                 "{0}: its newest changes are in {0}-wal, which cannot be read in a read-only "
                 "directory; copy the directory to a place that can be written",
                 path);
  return SQLite::Database(immutableUri(path), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
}

llvm::Expected<std::unique_ptr<Connection>> openToRead(const std::string &path, FileKind kind) {
  if (!llvm::sys::fs::exists(path))
    return error(ErrorKind::Store, "{}: no such file; `retest record` makes it", path);
  auto database = openToRead(path);
  if (!database)
    return database.takeError();
  auto connection = std::make_unique<Connection>(Connection{path, std::move(*database)});
  if (isEmpty(connection->database))
    return error(ErrorKind::Store, "{}: empty; `retest record` fills it", path);
  if (llvm::Error problem = checkIdentity(*connection, kind))
    return problem;
  if (numberOf(connection->database, "PRAGMA user_version") < kSchemaVersion)
    return openToWrite(path, kind); // brings it to this version
  return connection;
}

} // namespace

llvm::Expected<std::unique_ptr<Connection>> openConnection(const std::string &path, FileKind kind,
                                                           OpenMode mode) {
  if (llvm::sys::fs::is_directory(path))
    return error(ErrorKind::Store, "{}: a directory, where a file is expected; move it away", path);
  return guarded(path, [&] {
    return mode == OpenMode::Write ? openToWrite(path, kind) : openToRead(path, kind);
  });
}

char Damage::ID = 0;

Damage::Damage(const std::string &fault)
    : ErrorInfo(ErrorKind::Store, fault + "; move it away, and `retest record` makes a new one"),
      fault_(fault) {}

llvm::Error databaseError(const std::string &path, const SQLite::Exception &exception) {
  switch (exception.getErrorCode()) {
  case SQLITE_NOTADB:
    return llvm::make_error<Damage>(path + ": not a database of retest");
  case SQLITE_CORRUPT:
  case SQLITE_ERROR: // "no such column": the tables are not as schema.sql makes them
    return damaged(path, error("{}", exception.what()));
  case SQLITE_BUSY:
    return error(ErrorKind::Store,
                 "{}: another process keeps it locked; try again when that has ended", path);
  case SQLITE_CANTOPEN:
    return error(ErrorKind::Store,
                 "{}: cannot be opened; check that you may read and write it and its directory",
                 path);
  case SQLITE_READONLY:
    return error(ErrorKind::Store,
                 "{}: cannot be written; check that you may write it and its directory", path);
  case SQLITE_FULL:
    return error(ErrorKind::Store, "{}: no room on the disk; make some and try again", path);
  default:
    return error(ErrorKind::Store, "{}: {}; if trying again does not help, move it away", path,
                 exception.what());
  }
}

llvm::Error damaged(const std::string &path, llvm::Error cause) {
  return llvm::make_error<Damage>(
      fmt::format("{}: damaged ({})", path, llvm::toString(std::move(cause))));
}

} // namespace retest
