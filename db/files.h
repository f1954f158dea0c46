#pragma once

#include "db/connection.h"
#include "graph/freshness.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>

#include <map>

namespace retest {

/// All paths and versions of files, at the places that their row ids say; rows that are gone
/// leave holes, which count as changed.
llvm::Expected<FileTable> loadFiles(Connection &connection);

/// A list of row ids as bytes, and back. Each is stored as the step from the one before.
std::string encodeIds(const std::vector<std::uint32_t> &ids);
llvm::Expected<std::vector<std::uint32_t>> decodeIds(llvm::StringRef bytes);

/// Adds paths and versions of files, each once. Lives in one write transaction: what it knows of
/// the tables is true as long as nobody else can write.
class FileWriter {
public:
  explicit FileWriter(Connection &connection);

  std::uint32_t addPath(const std::string &path);
  std::uint32_t addVersion(const FileInput &input);

private:
  SQLite::Database &database_;
  llvm::StringMap<std::uint32_t> paths_;
  /// By path, content and FileInput::seen.
  std::map<std::tuple<std::uint32_t, Fingerprint, Fingerprint>, std::uint32_t> versions_;
  SQLite::Statement insertPath_, insertVersion_;
};

} // namespace retest
