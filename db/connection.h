#pragma once

#include "db/open_mode.h"
#include "support/error.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <memory>
#include <string>

namespace retest {

/// Which of retest's files; the number is its `application_id`: "rtst" and "rtca".
enum class FileKind : std::int32_t { Store = 0x72747374, Cache = 0x72746361 };

/// The content of a file is at fault, not the world around it.
class Damage : public llvm::ErrorInfo<Damage, Failure> {
public:
  static char ID;

  explicit Damage(const std::string &fault);

  /// The file and what is wrong with it. The message adds the way out, which is another one for
  /// a cache than for a store: a cache is begun anew by itself.
  const std::string &fault() const { return fault_; }

private:
  std::string fault_;
};

/// An open file of retest with the tables of schema.sql.
struct Connection {
  std::string path;
  SQLite::Database database;
};

/// Opens a file; in write mode creates it, or brings it to this program's version. Refuses with
/// an error of kind Store what is no such file, is damaged, or was written by a newer version.
llvm::Expected<std::unique_ptr<Connection>> openConnection(const std::string &path, FileKind kind,
                                                           OpenMode mode);

/// The error for what SQLite reported about the file at `path`.
llvm::Error databaseError(const std::string &path, const SQLite::Exception &exception);

/// The error for bytes of the file at `path` that make no sense.
llvm::Error damaged(const std::string &path, llvm::Error cause);

/// Runs `action`, which gives an llvm::Error or llvm::Expected, and turns what SQLite throws into
/// an error. All of db's public functions pass through here; there is no other `try`.
template <class Action>
auto guarded(const std::string &path, const Action &action) -> decltype(action()) {
  try {
    return action();
  } catch (const SQLite::Exception &exception) {
    return databaseError(path, exception);
  }
}

inline void bindBlob(SQLite::Statement &statement, int index, llvm::StringRef bytes) {
  // A null pointer would be bound as NULL.
  statement.bind(index, bytes.empty() ? "" : bytes.data(), static_cast<int>(bytes.size()));
}

/// Valid until the statement goes on.
inline llvm::StringRef blobOf(const SQLite::Column &column) {
  const char *bytes = static_cast<const char *>(column.getBlob());
  return bytes ? llvm::StringRef(bytes, column.getBytes()) : llvm::StringRef();
}

} // namespace retest
