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

// In place, so that the file does not grow. The table stays as it is; only its text, in which a
// comment says what is in the column, is brought to that of schema.sql (the way that SQLite's
// manual gives for this).
constexpr const char kCompressedFingerprints[] = R"sql(
UPDATE pack SET fingerprints = retest_compressed(fingerprints);
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
  '-- they do not compress',
  '-- zstd: two of three are there more than once') WHERE type = 'table' AND name = 'pack';
PRAGMA writable_schema = RESET;
)sql";

constexpr const char kEnvironment[] = R"sql(
-- What beside the program decided how the tests behaved: compilers, libraries, flags.
CREATE TABLE environment (
  baseline INTEGER NOT NULL REFERENCES coverage (baseline) ON DELETE CASCADE,
  binary   TEXT NOT NULL, -- whose tests it concerns; empty: all
  what     TEXT NOT NULL, -- "library /usr/lib/libz.so.1"
  content  BLOB NOT NULL, -- fingerprint, 16 bytes; zeros: not there
  PRIMARY KEY (baseline, binary, what)
) STRICT, WITHOUT ROWID;
)sql";

// A table of its own text, since ALTER TABLE would write another one.
constexpr const char kCounted[] = R"sql(
CREATE TEMP TABLE unit_coverage_before AS SELECT * FROM unit_coverage;
DROP TABLE unit_coverage;
-- The coverage class of each edge of the functions of a unit.
CREATE TABLE unit_coverage (
  baseline  INTEGER NOT NULL REFERENCES coverage (baseline) ON DELETE CASCADE,
  unit      INTEGER NOT NULL,
  functions BLOB NOT NULL, -- zstd
  counted   BLOB NOT NULL, -- zstd: which functions have counters; empty: none
  PRIMARY KEY (baseline, unit),
  FOREIGN KEY (baseline, unit) REFERENCES baseline_unit (baseline, unit) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO unit_coverage SELECT baseline, unit, functions, x'' FROM unit_coverage_before;
DROP TABLE unit_coverage_before;
)sql";

// Tests that were recorded before keep NULL: their own names are not known for sure.
constexpr const char kNativeNames[] = R"sql(
CREATE TEMP TABLE test_before AS SELECT * FROM test;
DROP TABLE test;
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
  native_name  TEXT,           -- in its framework; NULL: a plain entry, or not known
  native_flags INTEGER CHECK (native_flags BETWEEN 0 AND 3), -- 1 isDisabled, 2 bringsOthers; or NULL
  PRIMARY KEY (baseline, number)
) STRICT, WITHOUT ROWID;
INSERT INTO test SELECT *, NULL, NULL FROM test_before;
DROP TABLE test_before;
)sql";

constexpr const char kHistory[] = R"sql(
-- What came of runs: what selection chose, and what that saved.
CREATE TABLE history (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         TEXT NOT NULL,    -- 2025-01-31T12:00:00Z
  command    TEXT NOT NULL,    -- run, shadow
  commit_id  TEXT NOT NULL,    -- empty: not in a repository
  kind       TEXT NOT NULL,    -- subset, none, all
  reason     TEXT NOT NULL,    -- why all; empty: it could be told
  total      INTEGER NOT NULL, -- tests
  selected   INTEGER NOT NULL,
  ran        INTEGER NOT NULL,
  failed     INTEGER NOT NULL,
  caught     INTEGER NOT NULL, -- of a shadow run: selected tests with another outcome
  escaped    INTEGER NOT NULL, -- skipped ones
  selecting  INTEGER NOT NULL, -- microseconds
  ran_time   INTEGER NOT NULL, -- of the tests that ran
  saved_time INTEGER NOT NULL  -- of those that selection leaves out, when they were recorded
) STRICT;

-- What spoke for tests in a run, and for how many.
CREATE TABLE history_rule (
  history INTEGER NOT NULL REFERENCES history (id) ON DELETE CASCADE,
  rule    TEXT NOT NULL,
  tests   INTEGER NOT NULL,
  PRIMARY KEY (history, rule)
) STRICT, WITHOUT ROWID;
)sql";

constexpr Migration kSteps[] = {{3, kCoverage},    {4, kCompressedFingerprints},
                                {5, kEnvironment}, {6, kCounted},
                                {7, kNativeNames}, {8, kHistory}};

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
