#include "db/migrations.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

namespace retest {

llvm::ArrayRef<Migration> migrations() {
  // {3, "ALTER TABLE ..."} comes here with version 3 of schema.sql.
  return {};
}

void migrate(SQLite::Database &database, llvm::ArrayRef<Migration> steps) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Asked inside the transaction: another process may have been faster.
  int version = database.execAndGet("PRAGMA user_version");
  for (const Migration &step : steps) {
    if (step.to <= version)
      continue;
    database.exec(step.sql);
    database.exec(fmt::format("PRAGMA user_version = {}", step.to));
  }
  transaction.commit();
}

} // namespace retest
