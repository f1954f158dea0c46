#pragma once

#include <llvm/ADT/ArrayRef.h>

namespace SQLite {
class Database;
}

namespace retest {

/// Numbers the schema of db/schema.sql; kept in `user_version`.
inline constexpr int kSchemaVersion = 8;
/// The oldest that the steps can bring forward. Version 1 was never released: its graphs lack
/// what the comparison needs, and only reading the sources again can tell.
inline constexpr int kOldestVersion = 2;

/// One step forward: what turns a file of version `to` - 1 into one of version `to`.
struct Migration {
  int to;
  const char *sql; ///< may call retest_compressed(blob), which `migrate` offers
};

/// All steps from kOldestVersion to kSchemaVersion, in order.
llvm::ArrayRef<Migration> migrations();

/// Brings a file to the version of the last step, in one transaction: a file is at its old or
/// its new version, never between. Throws SQLite::Exception.
void migrate(SQLite::Database &database, llvm::ArrayRef<Migration> steps);

} // namespace retest
