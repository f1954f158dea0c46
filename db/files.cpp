#include "db/files.h"

#include "support/bytes.h"

namespace retest {
namespace {

// Far more files than a program has; keeps a damaged row id from asking for all memory.
constexpr std::int64_t kMostRows = 1 << 24;

std::string bytesOf(Fingerprint fingerprint) {
  ByteWriter bytes;
  bytes.fingerprint(fingerprint);
  return bytes.take();
}

/// Zero for an empty blob, or one that makes no sense.
Fingerprint fingerprintIn(const SQLite::Column &column) {
  return ByteReader(blobOf(column)).fingerprint();
}

/// Adds a row and gives its number.
std::uint32_t insertRow(SQLite::Database &database, SQLite::Statement &insert) {
  insert.exec();
  insert.reset();
  std::int64_t id = database.getLastInsertRowid();
  if (id < 0 || id >= kMostRows)
    throw SQLite::Exception("no numbers are left for files");
  return static_cast<std::uint32_t>(id);
}

/// The entry of a row, for which the list grows; null if the number makes no sense.
template <class Entry> Entry *entryAt(std::vector<Entry> &entries, std::int64_t id) {
  if (id < 0 || id >= kMostRows)
    return nullptr;
  if (static_cast<std::size_t>(id) >= entries.size())
    entries.resize(id + 1);
  return &entries[id];
}

} // namespace

llvm::Expected<FileTable> loadFiles(Connection &connection) {
  FileTable table;
  SQLite::Statement path(connection.database, "SELECT id, name FROM path");
  while (path.executeStep()) {
    std::string *entry = entryAt(table.paths, path.getColumn(0).getInt64());
    if (!entry)
      return error(ErrorKind::Store, "the number of a path makes no sense");
    *entry = blobOf(path.getColumn(1)).str();
  }
  SQLite::Statement version(connection.database,
                            "SELECT id, path, content, seen FROM file_version");
  while (version.executeStep()) {
    FileVersion *entry = entryAt(table.versions, version.getColumn(0).getInt64());
    std::int64_t of = version.getColumn(1).getInt64();
    ByteReader content(blobOf(version.getColumn(2))), seen(blobOf(version.getColumn(3)));
    if (!entry || of < 0 || of >= static_cast<std::int64_t>(table.paths.size()))
      return error(ErrorKind::Store, "a version of a file makes no sense");
    *entry = {PathId{static_cast<std::uint32_t>(of)}, content.fingerprint()};
    if (!seen.isAtEnd())
      entry->seen = seen.fingerprint();
    if (content.hasFailed() || seen.hasFailed())
      return error(ErrorKind::Store, "the content of a file makes no sense");
  }
  return table;
}

std::string encodeIds(const std::vector<std::uint32_t> &ids) {
  ByteWriter bytes;
  std::int64_t last = 0;
  bytes.number(ids.size());
  for (std::uint32_t id : ids) {
    bytes.difference(id - last);
    last = id;
  }
  return bytes.take();
}

llvm::Expected<std::vector<std::uint32_t>> decodeIds(llvm::StringRef bytes) {
  ByteReader reader(bytes);
  std::vector<std::uint32_t> ids(reader.count());
  std::uint32_t last = 0;
  for (std::uint32_t &id : ids)
    id = last += static_cast<std::uint32_t>(reader.difference()); // wraps, if damaged
  if (reader.hasFailed() || !reader.isAtEnd())
    return error(ErrorKind::Store, "a list of files cannot be read");
  return ids;
}

FileWriter::FileWriter(Connection &connection)
    : database_(connection.database), insertPath_(database_, "INSERT INTO path (name) VALUES (?)"),
      insertVersion_(database_, "INSERT INTO file_version (path, content, seen) VALUES (?, ?, ?)") {
  SQLite::Statement path(database_, "SELECT id, name FROM path");
  while (path.executeStep())
    paths_.try_emplace(blobOf(path.getColumn(1)), path.getColumn(0).getUInt());
  SQLite::Statement version(database_, "SELECT id, path, content, seen FROM file_version");
  while (version.executeStep())
    versions_.try_emplace({version.getColumn(1).getUInt(), fingerprintIn(version.getColumn(2)),
                           fingerprintIn(version.getColumn(3))},
                          version.getColumn(0).getUInt());
}

std::uint32_t FileWriter::addPath(const std::string &path) {
  auto [entry, isNew] = paths_.try_emplace(path, 0);
  if (isNew) {
    insertPath_.bind(1, path);
    entry->second = insertRow(database_, insertPath_);
  }
  return entry->second;
}

std::uint32_t FileWriter::addVersion(const FileInput &input) {
  std::uint32_t path = addPath(input.path);
  auto [entry, isNew] = versions_.try_emplace({path, input.content, input.seen}, 0);
  if (isNew) {
    insertVersion_.bind(1, path);
    bindBlob(insertVersion_, 2, bytesOf(input.content));
    bindBlob(insertVersion_, 3, input.seen == Fingerprint{} ? "" : bytesOf(input.seen));
    entry->second = insertRow(database_, insertVersion_);
  }
  return entry->second;
}

} // namespace retest
