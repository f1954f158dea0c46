#include "db/migrations.h"

#include "db/compress.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

namespace retest {

namespace {

// Steps are never edited: a file that went this way has to be the same as one of schema.sql.
constexpr const char kCoverage[] = R"sql(
-- What the tests of a baseline did; a baseline of the graph alone has no row here.
CREATE TABLE coverage (
  baseline INTEGER PRIMARY KEY REFERENCES baseline (id) ON DELETE CASCADE,
  tests    INTEGER NOT NULL CHECK (tests BETWEEN 0 AND 16777216),
  classes  INTEGER NOT NULL CHECK (classes BETWEEN 1 AND 16777216) -- of probes; others are of files
) STRICT;

CREATE TABLE test (
  baseline   INTEGER NOT NULL REFERENCES coverage (baseline) ON DELETE CASCADE,
  number     INTEGER NOT NULL, -- TestId: by (binary, name)
  binary     TEXT NOT NULL,    -- empty: a plain CTest entry
  name       TEXT NOT NULL,
  framework  INTEGER CHECK (framework BETWEEN 0 AND 3), -- Framework; NULL: none
  suite      TEXT NOT NULL,
  file       TEXT NOT NULL,    -- empty: not known
  line       INTEGER NOT NULL CHECK (line BETWEEN 0 AND 4294967295),
  entries    BLOB NOT NULL,    -- list of texts
  settings   BLOB NOT NULL,    -- fingerprint, 16 bytes
  status     INTEGER NOT NULL CHECK (status BETWEEN 0 AND 6), -- TestStatus
  duration   INTEGER NOT NULL, -- microseconds
  unmeasured TEXT NOT NULL,    -- why; empty: it was measured
  programs   BLOB NOT NULL,    -- list of texts
  PRIMARY KEY (baseline, number)
) STRICT, WITHOUT ROWID;

-- Up to 256 coverage classes: sets of tests, each once.
CREATE TABLE coverage_class (
  baseline INTEGER NOT NULL REFERENCES coverage (baseline) ON DELETE CASCADE,
  first    INTEGER NOT NULL, -- CoverageClassId of the first of them
  sets     BLOB NOT NULL,    -- zstd
  PRIMARY KEY (baseline, first)
) STRICT, WITHOUT ROWID;

-- The coverage class of each edge of the functions of a unit.
CREATE TABLE unit_coverage (
  baseline  INTEGER NOT NULL REFERENCES coverage (baseline) ON DELETE CASCADE,
  unit      INTEGER NOT NULL,
  functions BLOB NOT NULL, -- zstd
  PRIMARY KEY (baseline, unit),
  FOREIGN KEY (baseline, unit) REFERENCES baseline_unit (baseline, unit) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Up to 256 classes of the program with the coverage class of the tests that constructed them.
CREATE TABLE constructed (
  baseline INTEGER NOT NULL REFERENCES coverage (baseline) ON DELETE CASCADE,
  first    TEXT NOT NULL, -- the name of the first of them, by which one is found
  classes  BLOB NOT NULL, -- zstd
  PRIMARY KEY (baseline, first)
) STRICT, WITHOUT ROWID;

-- A file that tests used, with the content it had, or zeros, and the class of these tests.
CREATE TABLE file_use (
  baseline INTEGER NOT NULL REFERENCES coverage (baseline) ON DELETE CASCADE,
  kind     INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 5), -- FileUseKind
  version  INTEGER NOT NULL REFERENCES file_version (id),
  tests    INTEGER NOT NULL, -- a coverage class
  PRIMARY KEY (baseline, kind, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_use_version ON file_use (version);
)sql";

// Made anew under its own name, since a table that is renamed keeps another text. No number of a
// pack may come again, so the counter moves along.
constexpr const char kCompressedFingerprints[] = R"sql(
ALTER TABLE pack RENAME TO pack_of_version_3;
CREATE TABLE pack (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  count        INTEGER NOT NULL CHECK (count BETWEEN 1 AND 512),
  keys         BLOB NOT NULL, -- per definition the hash of its bytes, 16 bytes
  names        BLOB NOT NULL, -- zstd: the names, each definition's own name first
  structure    BLOB NOT NULL, -- zstd: the graphs without names and fingerprints
  fingerprints BLOB NOT NULL  -- zstd: two of three are there more than once
) STRICT;
INSERT INTO pack SELECT id, count, keys, names, structure, retest_compressed(fingerprints)
  FROM pack_of_version_3;
DELETE FROM sqlite_sequence WHERE name = 'pack';
INSERT INTO sqlite_sequence SELECT 'pack', seq FROM sqlite_sequence WHERE name = 'pack_of_version_3';
DROP TABLE pack_of_version_3;
)sql";

constexpr Migration kSteps[] = {{3, kCoverage}, {4, kCompressedFingerprints}};

void compressArgument(sqlite3_context *context, int, sqlite3_value **arguments) {
  const auto *bytes = static_cast<const char *>(sqlite3_value_blob(arguments[0]));
  const auto size = static_cast<std::size_t>(sqlite3_value_bytes(arguments[0]));
  const std::string result = compressed({bytes, size}, kFingerprintLevel);
  sqlite3_result_blob64(context, result.data(), result.size(), SQLITE_TRANSIENT);
}

} // namespace

llvm::ArrayRef<Migration> migrations() { return kSteps; }

void migrate(SQLite::Database &database, llvm::ArrayRef<Migration> steps) {
  database.createFunction("retest_compressed", 1, true, nullptr, compressArgument);
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
