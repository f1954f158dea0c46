#pragma once

#include "db/connection.h"
#include "graph/encode.h"
#include "support/bytes.h"
#include "support/ids.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <memory>
#include <unordered_map>
#include <vector>

namespace retest {

struct DefinitionTag;
/// A stored function, class or variable: number `value % kPackCapacity` of a pack.
using DefinitionId = Id<DefinitionTag>;

// Definitions are compressed together, because most of their bytes are names that their
// neighbours mention too. Measured on 24,000 functions with real names of 300 characters, 1290
// bytes each: one by one 474 bytes (structure and names, level 9); one by one with a trained
// dictionary of 110 KiB 179, of 1 MiB 143; packs of 256, 512, 1024 without one: 127, 115, 106. A
// pack of 512 opens in 0.25 ms.
inline constexpr std::uint32_t kPackCapacity = 512;
/// A pack with fewer definitions in use is merged with others when garbage is collected.
inline constexpr std::uint32_t kPackSparse = kPackCapacity / 4;

inline std::uint32_t packOf(DefinitionId id) { return id.value / kPackCapacity; }
inline std::uint32_t placeOf(DefinitionId id) { return id.value % kPackCapacity; }
inline DefinitionId definitionAt(std::uint32_t pack, std::uint32_t place) {
  return {pack * kPackCapacity + place};
}

/// The key of a definition: two with the same bytes are one. `startLine` is not part of it.
Fingerprint keyOf(EncodedRef definition);

/// Definitions that were looked for, by their ids (as numbers); `startLine` is 0.
using FoundDefinitions = std::unordered_map<std::uint32_t, Encoded>;

/// Reads definitions, and keeps the packs it opened last.
class PackReader {
public:
  /// As many packs as a large unit touches; some 50 MB.
  static constexpr std::size_t kOpenPacks = 64;
  explicit PackReader(Connection &connection) : connection_(connection) {}

  struct Definition {
    Fingerprint key;
    EncodedRef bytes; ///< valid until the next call; startLine is 0
  };
  llvm::Expected<Definition> find(DefinitionId id);

  /// All definitions whose name `matches`.
  llvm::Expected<FoundDefinitions> named(llvm::function_ref<bool(llvm::StringRef)> matches);
  /// All definitions that mention a name, such as that of a file.
  llvm::Expected<FoundDefinitions> mentioning(llvm::StringRef name);

private:
  struct Pack {
    std::string names, structure, fingerprints;
    std::vector<Definition> definitions;
  };
  static llvm::Error load(SQLite::Statement &row, Pack &pack);
  llvm::Expected<FoundDefinitions>
  search(llvm::function_ref<llvm::Expected<bool>(llvm::StringRef)> isWanted);

  Connection &connection_;
  llvm::DenseMap<std::uint32_t, std::unique_ptr<Pack>> packs_;
};

/// Adds definitions, each once. Lives in one write transaction: what it knows of the table is
/// true as long as nobody else can write.
class PackWriter {
public:
  explicit PackWriter(Connection &connection);

  /// Its id if a definition with that key is stored, else not valid.
  DefinitionId find(Fingerprint key) const;
  DefinitionId add(Fingerprint key, EncodedRef definition);
  /// Copies a whole pack of another file as it is, if that file's pack has nothing that is here.
  /// Gives the id of the copy, or 0.
  std::uint32_t adopt(Connection &from, std::uint32_t pack);
  /// Writes what was added last.
  void flush();

private:
  std::uint32_t nextPack();

  SQLite::Database &database_;
  struct Hash {
    std::size_t operator()(Fingerprint key) const { return key.low; }
  };
  std::unordered_map<Fingerprint, DefinitionId, Hash> ids_;
  std::uint32_t packId_ = 0; ///< of the pack being filled
  std::uint32_t count_ = 0;
  std::uint32_t lastPack_ = 0;
  ByteWriter keys_, names_, structure_, fingerprints_;
};

} // namespace retest
