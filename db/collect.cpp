#include "db/units.h"

#include <bitset>
#include <map>

namespace retest {
namespace {

// Fewer sparse packs than this are not worth the rewriting.
constexpr std::size_t kSparsePacks = 8;

using Places = std::bitset<kPackCapacity>;

/// What the units and tests that are left need.
struct Needed {
  std::map<std::uint32_t, Places> packs;
  std::vector<bool> versions;
  std::vector<bool> paths;
};

void mark(std::vector<bool> &marks, std::uint32_t id) {
  if (id < marks.size())
    marks[id] = true;
}

llvm::Expected<Needed> neededByAll(Connection &connection, const FileTable &files) {
  Needed needed;
  needed.versions.resize(files.versions.size());
  needed.paths.resize(files.paths.size());
  SQLite::Statement units(connection.database, "SELECT inputs, missed, definitions FROM unit");
  while (units.executeStep()) {
    auto inputs = decodeIds(blobOf(units.getColumn(0)));
    if (!inputs)
      return inputs.takeError();
    auto missed = decodeIds(blobOf(units.getColumn(1)));
    if (!missed)
      return missed.takeError();
    auto definitions = decodeDefinitions(blobOf(units.getColumn(2)));
    if (!definitions)
      return definitions.takeError();
    for (std::uint32_t id : *inputs)
      mark(needed.versions, id);
    for (std::uint32_t id : *missed)
      mark(needed.paths, id);
    definitions->forEach([&](PlacedDefinition &definition) {
      needed.packs[packOf(definition.id)].set(placeOf(definition.id));
    });
  }
  SQLite::Statement uses(connection.database, "SELECT DISTINCT version FROM file_use");
  while (uses.executeStep())
    mark(needed.versions, uses.getColumn(0).getUInt());
  for (std::size_t id = 0; id < files.versions.size(); ++id)
    if (needed.versions[id])
      mark(needed.paths, files.versions[id].path.value);
  return needed;
}

void removeRow(SQLite::Statement &statement, std::uint32_t id) {
  statement.reset();
  statement.bind(1, id);
  statement.exec();
}

void removeFiles(SQLite::Database &database, const FileTable &files, const Needed &needed) {
  SQLite::Statement version(database, "DELETE FROM file_version WHERE id = ?");
  for (std::uint32_t id = 0; id < needed.versions.size(); ++id)
    if (!needed.versions[id] && files.versions[id].path.isValid())
      removeRow(version, id);
  SQLite::Statement path(database, "DELETE FROM path WHERE id = ?");
  for (std::uint32_t id = 0; id < needed.paths.size(); ++id)
    if (!needed.paths[id])
      removeRow(path, id);
}

/// Removes the packs that nobody needs, and gives those of which little is needed.
std::vector<std::uint32_t> removePacks(SQLite::Database &database, const Needed &needed) {
  std::vector<std::uint32_t> unused, sparse;
  SQLite::Statement packs(database, "SELECT id FROM pack");
  while (packs.executeStep()) {
    std::uint32_t pack = packs.getColumn(0).getUInt();
    auto places = needed.packs.find(pack);
    if (places == needed.packs.end())
      unused.push_back(pack);
    else if (places->second.count() < kPackSparse)
      sparse.push_back(pack);
  }
  SQLite::Statement remove(database, "DELETE FROM pack WHERE id = ?");
  for (std::uint32_t pack : unused)
    removeRow(remove, pack);
  return sparse;
}

using Moves = llvm::DenseMap<std::uint32_t, DefinitionId>;

/// Gives the units the new numbers of their definitions.
llvm::Error renumber(Connection &connection, const Moves &moves) {
  SQLite::Statement units(connection.database, "SELECT id FROM unit");
  std::vector<UnitRowId> ids;
  while (units.executeStep())
    ids.push_back({units.getColumn(0).getUInt()});
  SQLite::Statement update(connection.database, "UPDATE unit SET definitions = ? WHERE id = ?");
  for (UnitRowId unit : ids) {
    auto definitions = loadDefinitions(connection, unit);
    if (!definitions)
      return definitions.takeError();
    bool isChanged = false;
    definitions->forEach([&](PlacedDefinition &definition) {
      auto move = moves.find(definition.id.value);
      if (move == moves.end())
        return;
      definition.id = move->second;
      isChanged = true;
    });
    if (!isChanged)
      continue;
    update.reset();
    bindBlob(update, 1, encodeDefinitions(*definitions));
    update.bind(2, unit.value);
    update.exec();
  }
  return llvm::Error::success();
}

llvm::Error mergePacks(Connection &connection, const std::vector<std::uint32_t> &sparse,
                       const Needed &needed) {
  struct Moving {
    DefinitionId id;
    Fingerprint key;
    Encoded bytes;
  };
  std::vector<Moving> moving;
  PackReader reader(connection);
  for (std::uint32_t pack : sparse) {
    const Places &places = needed.packs.at(pack);
    for (std::uint32_t place = 0; place < kPackCapacity; ++place) {
      if (!places[place])
        continue;
      DefinitionId id = definitionAt(pack, place);
      auto definition = reader.find(id);
      if (!definition)
        return definition.takeError();
      const EncodedRef &bytes = definition->bytes;
      moving.push_back({id,
                        definition->key,
                        {bytes.names.str(), bytes.structure.str(), bytes.fingerprints.str(), 0}});
    }
  }
  SQLite::Statement remove(connection.database, "DELETE FROM pack WHERE id = ?");
  for (std::uint32_t pack : sparse)
    removeRow(remove, pack);
  PackWriter writer(connection); // after the removal: it must not find them
  Moves moves;
  for (const Moving &definition : moving)
    moves[definition.id.value] = writer.add(definition.key, definition.bytes);
  writer.flush();
  return renumber(connection, moves);
}

} // namespace

llvm::Error collectGarbage(Connection &connection) {
  auto files = loadFiles(connection);
  if (!files)
    return files.takeError();
  auto needed = neededByAll(connection, *files);
  if (!needed)
    return needed.takeError();
  removeFiles(connection.database, *files, *needed);
  std::vector<std::uint32_t> sparse = removePacks(connection.database, *needed);
  if (sparse.size() < kSparsePacks)
    return llvm::Error::success();
  return mergePacks(connection, sparse, *needed);
}

} // namespace retest
