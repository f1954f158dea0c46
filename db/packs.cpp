#include "db/packs.h"

#include "db/compress.h"

namespace retest {
namespace {

constexpr int kLevel = 9;
// A pack is opened whole, so it also ends at this many bytes.
constexpr std::size_t kPackBytes = 4 << 20;

constexpr const char kSelectParts[] = "SELECT id, keys, names, structure, fingerprints FROM pack";
enum PartColumn : std::uint8_t { kId, kKeys, kNames, kStructure, kFingerprints };

} // namespace

Fingerprint keyOf(EncodedRef definition) {
  FingerprintBuilder hash;
  return hash.add(definition.names).add(definition.structure).add(definition.fingerprints).finish();
}

llvm::Expected<PackReader::Definition> PackReader::find(DefinitionId id) {
  auto known = packs_.find(packOf(id));
  if (known == packs_.end()) {
    auto pack = std::make_unique<Pack>();
    if (packs_.size() >= kOpenPacks) {
      pack = std::move(packs_.begin()->second); // for its memory
      packs_.clear();
    }
    SQLite::Statement row(connection_.database, std::string(kSelectParts) + " WHERE id = ?");
    row.bind(1, packOf(id));
    if (!row.executeStep())
      return error(ErrorKind::Store, "a pack of definitions is missing");
    if (llvm::Error failed = decompress(blobOf(row.getColumn(kNames)), pack->names))
      return failed;
    if (llvm::Error failed = load(row, *pack))
      return failed;
    known = packs_.try_emplace(packOf(id), std::move(pack)).first;
  }
  const Pack &pack = *known->second;
  if (placeOf(id) >= pack.definitions.size())
    return error(ErrorKind::Store, "a definition is missing");
  return pack.definitions[placeOf(id)];
}

/// What `row` has beside the names, which are there.
llvm::Error PackReader::load(SQLite::Statement &row, Pack &pack) {
  if (llvm::Error failed = decompress(blobOf(row.getColumn(kStructure)), pack.structure))
    return failed;
  if (llvm::Error failed = decompress(blobOf(row.getColumn(kFingerprints)), pack.fingerprints))
    return failed;
  pack.definitions.clear();
  ByteReader keys(blobOf(row.getColumn(kKeys)));
  ByteReader nameParts(pack.names), structureParts(pack.structure);
  ByteReader fingerprints(pack.fingerprints);
  while (!keys.isAtEnd() && pack.definitions.size() < kPackCapacity) {
    Definition definition;
    definition.key = keys.fingerprint();
    definition.bytes.names = nameParts.text();
    definition.bytes.structure = structureParts.text();
    definition.bytes.fingerprints = fingerprints.raw(structureParts.number());
    if (keys.hasFailed() || nameParts.hasFailed() || structureParts.hasFailed() ||
        fingerprints.hasFailed())
      return error(ErrorKind::Store, "a pack of definitions cannot be read");
    pack.definitions.push_back(definition);
  }
  return llvm::Error::success();
}

/// The definitions of which `isWanted` holds, given their `names` part. Packs that have none are
/// not opened further.
llvm::Expected<FoundDefinitions>
PackReader::search(llvm::function_ref<llvm::Expected<bool>(llvm::StringRef)> isWanted) {
  FoundDefinitions found;
  SQLite::Statement row(connection_.database, kSelectParts);
  Pack pack;
  std::vector<std::uint32_t> places;
  while (row.executeStep()) {
    if (llvm::Error failed = decompress(blobOf(row.getColumn(kNames)), pack.names))
      return failed;
    places.clear();
    ByteReader parts(pack.names);
    for (std::uint32_t place = 0; !parts.isAtEnd() && place < kPackCapacity; ++place) {
      auto wanted = isWanted(parts.text());
      if (!wanted)
        return wanted.takeError();
      if (*wanted)
        places.push_back(place);
    }
    if (places.empty())
      continue;
    if (llvm::Error failed = load(row, pack))
      return failed;
    for (std::uint32_t place : places) {
      if (place >= pack.definitions.size())
        return error(ErrorKind::Store, "a definition is missing");
      const EncodedRef &bytes = pack.definitions[place].bytes;
      found.try_emplace(
          definitionAt(row.getColumn(kId).getUInt(), place).value,
          Encoded{bytes.names.str(), bytes.structure.str(), bytes.fingerprints.str()});
    }
  }
  return found;
}

llvm::Expected<FoundDefinitions>
PackReader::named(llvm::function_ref<bool(llvm::StringRef)> matches) {
  return search([&](llvm::StringRef names) -> llvm::Expected<bool> {
    auto name = decodeName(names);
    if (!name)
      return name.takeError();
    return matches(*name);
  });
}

llvm::Expected<FoundDefinitions> PackReader::mentioning(llvm::StringRef name) {
  return search([&](llvm::StringRef names) -> llvm::Expected<bool> {
    ByteReader table(names);
    while (!table.isAtEnd())
      if (table.text() == name)
        return true;
    return false;
  });
}

PackWriter::PackWriter(Connection &connection) : database_(connection.database) {
  SQLite::Statement packs(database_, "SELECT id, keys FROM pack");
  while (packs.executeStep()) {
    std::uint32_t pack = packs.getColumn(0).getUInt();
    ByteReader keys(blobOf(packs.getColumn(1)));
    for (std::uint32_t place = 0; !keys.isAtEnd() && place < kPackCapacity; ++place)
      ids_.emplace(keys.fingerprint(), definitionAt(pack, place));
  }
  SQLite::Statement last(database_, "SELECT seq FROM sqlite_sequence WHERE name = 'pack'");
  if (last.executeStep())
    lastPack_ = last.getColumn(0).getUInt();
}

DefinitionId PackWriter::find(Fingerprint key) const {
  auto known = ids_.find(key);
  return known == ids_.end() ? DefinitionId{} : known->second;
}

std::uint32_t PackWriter::nextPack() {
  // 8 million packs; each that was ever written counts.
  if (lastPack_ >= UINT32_MAX / kPackCapacity - 1)
    throw SQLite::Exception("no numbers are left for definitions");
  return ++lastPack_;
}

DefinitionId PackWriter::add(Fingerprint key, EncodedRef definition) {
  if (DefinitionId known = find(key); known.isValid())
    return known;
  if (count_ == kPackCapacity || structure_.bytes().size() > kPackBytes)
    flush();
  if (count_ == 0)
    packId_ = nextPack();
  keys_.fingerprint(key);
  names_.text(definition.names);
  structure_.text(definition.structure);
  structure_.number(definition.fingerprints.size());
  fingerprints_.raw(definition.fingerprints);
  DefinitionId id = definitionAt(packId_, count_++);
  ids_.emplace(key, id);
  return id;
}

std::uint32_t PackWriter::adopt(Connection &from, std::uint32_t pack) {
  SQLite::Statement source(
      from.database, "SELECT count, keys, names, structure, fingerprints FROM pack WHERE id = ?");
  source.bind(1, pack);
  if (!source.executeStep())
    return 0;
  llvm::StringRef keyBytes = blobOf(source.getColumn(1));
  for (ByteReader keys(keyBytes); !keys.isAtEnd();)
    if (find(keys.fingerprint()).isValid())
      return 0;
  std::uint32_t id = nextPack();
  SQLite::Statement insert(database_, "INSERT INTO pack (id, count, keys, names, structure, "
                                      "fingerprints) VALUES (?, ?, ?, ?, ?, ?)");
  insert.bind(1, id);
  insert.bind(2, source.getColumn(0).getInt());
  for (int column = 1; column <= 4; ++column)
    bindBlob(insert, column + 2, blobOf(source.getColumn(column)));
  insert.exec();
  ByteReader keys(keyBytes);
  for (std::uint32_t place = 0; !keys.isAtEnd() && place < kPackCapacity; ++place)
    ids_.emplace(keys.fingerprint(), definitionAt(id, place));
  return id;
}

void PackWriter::flush() {
  if (count_ == 0)
    return;
  SQLite::Statement insert(database_, "INSERT INTO pack (id, count, keys, names, structure, "
                                      "fingerprints) VALUES (?, ?, ?, ?, ?, ?)");
  insert.bind(1, packId_);
  insert.bind(2, count_);
  bindBlob(insert, 3, keys_.take());
  bindBlob(insert, 4, compressed(names_.take(), kLevel));
  bindBlob(insert, 5, compressed(structure_.take(), kLevel));
  bindBlob(insert, 6, compressed(fingerprints_.take(), kFingerprintLevel));
  insert.exec();
  count_ = 0;
}

} // namespace retest
