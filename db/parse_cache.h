#pragma once

#include "db/stored_unit.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <string>
#include <vector>

namespace retest {

struct Connection;
class PackReader;

/// The file cache.db: the newest few versions of each unit, so that nothing is parsed twice, and
/// the states of files, so that few are read.
///
/// A cache is never a reason to fail. A damaged file is dropped and begun anew; one that cannot
/// be written (a read-only place) is used as it is, and nothing is added; one that cannot be used
/// at all (a newer version) is replaced by memory. `notes` tells.
///
/// Each `save` is one transaction, so that a run that is killed goes on where it was. Several
/// processes may use a cache at once. Each object is used from one thread at a time.
class ParseCache {
public:
  static ParseCache open(const std::string &path);
  ParseCache(ParseCache &&);
  ParseCache &operator=(ParseCache &&);
  ~ParseCache();

  /// The versions of a unit with that command, newest first, as they were when the cache was
  /// opened. They are judged with a Freshness over `files`.
  std::vector<const StoredUnit *> lookup(llvm::StringRef unit, Fingerprint command) const;
  const FileTable &files() const { return files_; }
  /// The whole unit, for one that `lookup` gave. An error means: parse it.
  llvm::Expected<UnitRecord> load(const StoredUnit &unit, Names &names);

  /// Adds units and gives their numbers, in order; the oldest versions of the same units go.
  /// Gives no numbers if they could not be saved, or if the cache cannot be written.
  std::vector<UnitRowId> save(const std::vector<NamedUnit> &units);

  FileStates loadFileStates();
  /// Does nothing if there is nothing new in them, or if the cache cannot be written.
  void saveFileStates(const FileStates &states);

  /// What went wrong and was put right, for the user to read.
  const std::vector<std::string> &notes() const { return notes_; }
  /// For the store, which copies units from here.
  Connection &connection() { return *connection_; }

private:
  ParseCache();
  void connect(const std::string &path);
  void use(std::unique_ptr<Connection> connection);
  void useMemory();
  void beginAnew(llvm::Error cause);
  llvm::Error loadIndex();

  std::unique_ptr<Connection> connection_;
  bool isReadOnly_ = false;
  std::unique_ptr<PackReader> packs_;
  std::vector<StoredUnit> units_;
  llvm::StringMap<std::vector<const StoredUnit *>> byName_;
  FileTable files_;
  std::uint32_t lastUnit_ = 0; // the highest number seen
  std::vector<std::string> notes_;
};

} // namespace retest
