#include "db/baseline_rows.h"
#include "db/compress.h"
#include "db/export.h"
#include "db/migrations.h"
#include "db/schema.h"
#include "db/scratch_directory.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {
namespace {

// More than any project has; keeps a small file from filling the disk.
constexpr std::uint64_t kLargest = 4ULL << 30;

std::vector<std::string> statementsOf(SQLite::Database &database) {
  SQLite::Statement rows(database, "SELECT type || ' ' || name || ' ' || coalesce(sql, '') "
                                   "FROM sqlite_master ORDER BY 1");
  std::vector<std::string> statements;
  while (rows.executeStep())
    statements.push_back(rows.getColumn(0).getString());
  return statements;
}

/// Only a file with exactly our tables is read: a view or trigger would run what it likes.
llvm::Error checkTables(const std::string &path) {
  return guarded(path, [&]() -> llvm::Error {
    SQLite::Database database(path, SQLite::OPEN_READONLY);
    database.exec("PRAGMA trusted_schema = OFF");
    database.exec("PRAGMA cell_size_check = ON");
    if (database.execAndGet("PRAGMA application_id").getInt() !=
        static_cast<std::int32_t>(FileKind::Store))
      return error("not an export of retest");
    int version = database.execAndGet("PRAGMA user_version").getInt();
    if (version != kSchemaVersion)
      return error("made by {} retest (version {} of the tables; this program reads {})",
                   version > kSchemaVersion ? "a newer" : "an older", version, kSchemaVersion);
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    fresh.exec(kSchema);
    if (statementsOf(database) != statementsOf(fresh))
      return error("its tables are not those of retest");
    return llvm::Error::success();
  });
}

llvm::Error checkNames(Store &from) {
  auto infos = from.listBaselines();
  if (!infos)
    return infos.takeError();
  if (infos->empty())
    return error("it holds no baseline");
  for (const BaselineInfo &info : *infos)
    for (const std::string &text : {info.name, info.commit, info.recordedAt, info.environment})
      if (llvm::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
        return error("the name of a baseline has control characters");
  return llvm::Error::success();
}

/// The store in the file, once nothing in it is wrong.
llvm::Expected<Store> openExport(const std::string &file, const std::string &plain) {
  if (llvm::Error failed = decompressFile(file, plain, kLargest))
    return failed;
  if (llvm::Error wrong = checkTables(plain))
    return wrong;
  auto from = Store::open(plain, OpenMode::Read);
  if (!from)
    return from;
  if (llvm::Error wrong = from->check())
    return wrong;
  if (llvm::Error wrong = checkNames(*from))
    return wrong;
  return from;
}

/// The message without the name of our copy, and without advice that is about a store.
std::string reasonOf(llvm::Error problem, const std::string &copy) {
  std::string reason;
  llvm::handleAllErrors(
      std::move(problem), [&](const Damage &damage) { reason = damage.fault(); },
      [&](const llvm::ErrorInfoBase &other) { reason = other.message(); });
  llvm::StringRef text = reason;
  if (text.consume_front(copy))
    text.consume_front(": ");
  return text.str();
}

llvm::Error checkNew(const std::vector<BaselineRow> &rows, Connection &to) {
  for (const BaselineRow &row : rows)
    for (const BaselineRow &known : baselineRows(to))
      if (known.info.name == row.info.name)
        return error(ErrorKind::Usage, "{}: holds a baseline {} already; --force replaces it",
                     to.path, row.info.name);
  return llvm::Error::success();
}

} // namespace

llvm::Expected<std::vector<std::string>> importBaselines(Store &store, const std::string &file,
                                                         ImportMode mode) {
  auto scratch = ScratchDirectory::create();
  if (!scratch)
    return scratch.takeError();
  std::string plain = scratch->file("import.db");
  auto from = openExport(file, plain);
  if (!from)
    return error("{}: cannot be imported: {}; the store is as it was", file,
                 reasonOf(from.takeError(), plain));
  Connection &to = store.connection();
  return guarded(to.path, [&]() -> llvm::Expected<std::vector<std::string>> {
    SQLite::Transaction snapshot(from->connection().database);
    SQLite::Transaction transaction(to.database, SQLite::TransactionBehavior::IMMEDIATE);
    std::vector<BaselineRow> rows = baselineRows(from->connection());
    std::reverse(rows.begin(), rows.end());
    if (mode == ImportMode::AddOnly)
      if (llvm::Error known = checkNew(rows, to))
        return known;
    Removed replaced;
    std::vector<std::string> names;
    for (const BaselineRow &row : rows) {
      if (llvm::Error failed = copyBaseline(*from, row, to, replaced))
        return failed;
      names.push_back(row.info.name);
    }
    if (llvm::Error problem = removeUnused(to, replaced))
      return problem;
    transaction.commit();
    return names;
  });
}

} // namespace retest
