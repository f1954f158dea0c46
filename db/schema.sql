-- The tables of retest's files: the store (retest.db), which holds baselines, and the parse cache
-- (cache.db), which holds the newest versions of each unit. One schema serves both; their
-- application_id tells them apart. docs/schema.md explains it with an example.
--
-- Version 2. Another version also needs a step in migrations.cpp.

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
  fingerprints BLOB NOT NULL  -- they do not compress
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

-- The store alone.
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

-- The parse cache alone: one row.
CREATE TABLE cache_state (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  file_states BLOB NOT NULL,   -- FileStates::encode: stamps and contents of files
  pruned      INTEGER NOT NULL -- units removed since unused packs were last collected
) STRICT;
