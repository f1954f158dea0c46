-- The tables of retest's files: the store (retest.db), which holds baselines, and the parse cache
-- (cache.db), which holds the newest versions of each unit. One schema serves both; their
-- application_id tells them apart. docs/schema.md explains it with an example.
--
-- Version 8. Another version also needs a step in migrations.cpp.

-- Paths as ProjectPaths::nameOf gives them: the files do not know where the project lies. Each is
-- there once; writers see to it, since an index would hold all of them a second time.
CREATE TABLE path (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL
) STRICT;

-- A file with one of the contents it had, and, for a header outside the project, one of the ways
-- in which units see it; likewise each once.
CREATE TABLE file_version (
  id      INTEGER PRIMARY KEY,
  path    INTEGER NOT NULL REFERENCES path (id),
  content BLOB NOT NULL, -- fingerprint, 16 bytes
  seen    BLOB NOT NULL  -- fingerprint of the tokens that macros and flags leave of it, or empty
) STRICT;
CREATE INDEX file_version_path ON file_version (path);

-- Up to 512 functions, classes and variables ("definitions"), each stored once for all units and
-- baselines: definition n is number n % 512 of pack n / 512. Ids are never used again.
CREATE TABLE pack (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  count        INTEGER NOT NULL CHECK (count BETWEEN 1 AND 512),
  keys         BLOB NOT NULL, -- per definition the hash of its bytes, 16 bytes
  names        BLOB NOT NULL, -- zstd: the names, each definition's own name first
  structure    BLOB NOT NULL, -- zstd: the graphs without names and fingerprints
  fingerprints BLOB NOT NULL  -- zstd: two of three are there more than once
) STRICT;

-- The outcome of parsing one translation unit. Ids are never used again.
CREATE TABLE unit (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  key         BLOB NOT NULL UNIQUE, -- hash of all that the row says
  name        TEXT NOT NULL,
  source      TEXT NOT NULL,
  object      TEXT NOT NULL,        -- empty: the command names none
  command     BLOB NOT NULL,        -- fingerprint, 16 bytes
  error       TEXT NOT NULL,        -- empty: the unit parsed
  inputs      BLOB NOT NULL,        -- list of file_version.id
  missed      BLOB NOT NULL,        -- list of path.id
  definitions BLOB NOT NULL,        -- zstd: lists of (definition, line where it starts)
  rest        BLOB NOT NULL         -- zstd: initialiser, doubts and fingerprints of the unit
) STRICT;
CREATE INDEX unit_name ON unit (name);

-- The store alone, down to history_rule.
CREATE TABLE baseline (
  id          INTEGER PRIMARY KEY AUTOINCREMENT, -- a later one is newer
  name        TEXT NOT NULL UNIQUE,
  commit_id   TEXT NOT NULL, -- empty: not in a repository
  recorded_at TEXT NOT NULL, -- 2025-01-31T12:00:00Z
  environment TEXT NOT NULL  -- what beside the program decides how tests behave
) STRICT;

CREATE TABLE baseline_unit (
  baseline INTEGER NOT NULL REFERENCES baseline (id) ON DELETE CASCADE,
  unit     INTEGER NOT NULL REFERENCES unit (id),
  PRIMARY KEY (baseline, unit)
) STRICT, WITHOUT ROWID;
CREATE INDEX baseline_unit_unit ON baseline_unit (unit);

-- What the build linked: binaries in the order of the build, and their inputs in link order.
CREATE TABLE binary (
  baseline INTEGER NOT NULL REFERENCES baseline (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name     TEXT NOT NULL, -- as ProjectPaths::nameOf gives it
  kind     INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3), -- ProgramKind
  PRIMARY KEY (baseline, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE link_input (
  baseline INTEGER NOT NULL,
  binary   INTEGER NOT NULL, -- binary.position
  position INTEGER NOT NULL,
  kind     INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 4), -- ProgramInputKind
  name     TEXT NOT NULL,    -- of a unit, a binary or a file
  is_whole INTEGER NOT NULL, -- --whole-archive
  content  BLOB NOT NULL,    -- fingerprint of an object file or its source; empty: not known
  PRIMARY KEY (baseline, binary, position),
  FOREIGN KEY (baseline, binary) REFERENCES binary (baseline, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

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
  native_name  TEXT,           -- in its framework; NULL: a plain entry, or not known
  native_flags INTEGER CHECK (native_flags BETWEEN 0 AND 3), -- 1 isDisabled, 2 bringsOthers; or NULL
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
  counted   BLOB NOT NULL, -- zstd: which functions have counters; empty: none
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

-- What beside the program decided how the tests behaved: compilers, libraries, flags.
CREATE TABLE environment (
  baseline INTEGER NOT NULL REFERENCES coverage (baseline) ON DELETE CASCADE,
  binary   TEXT NOT NULL, -- whose tests it concerns; empty: all
  what     TEXT NOT NULL, -- "library /usr/lib/libz.so.1"
  content  BLOB NOT NULL, -- fingerprint, 16 bytes; zeros: not there
  PRIMARY KEY (baseline, binary, what)
) STRICT, WITHOUT ROWID;

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

-- The parse cache alone: one row.
CREATE TABLE cache_state (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  file_states BLOB NOT NULL,   -- FileStates::encode: stamps and contents of files
  pruned      INTEGER NOT NULL -- units removed since unused packs were last collected
) STRICT;
