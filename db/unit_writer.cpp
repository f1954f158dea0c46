#include "db/compress.h"
#include "db/units.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

struct UnitWriter::Row {
  std::string key, name, source, object, command, error, inputs, missed, definitions, rest;
};

namespace {

constexpr int kRestLevel = 3;

std::string bytesOf(Fingerprint fingerprint) {
  ByteWriter bytes;
  bytes.fingerprint(fingerprint);
  return bytes.take();
}

template <class Value>
std::vector<Encoded> encodeAll(const std::vector<Value> &values, const Names &names,
                               Encoded (*encode)(const Value &, const Names &)) {
  std::vector<Encoded> result;
  result.reserve(values.size());
  for (const Value &value : values)
    result.push_back(encode(value, names));
  return result;
}

/// How many of the definitions of each pack the units need.
llvm::Expected<llvm::DenseMap<std::uint32_t, std::uint32_t>>
neededPerPack(Connection &connection, const std::vector<UnitRowId> &units) {
  llvm::DenseMap<std::uint32_t, bool> seen;
  llvm::DenseMap<std::uint32_t, std::uint32_t> needed;
  for (UnitRowId unit : units) {
    auto definitions = loadDefinitions(connection, unit);
    if (!definitions)
      return definitions.takeError();
    definitions->forEach([&](PlacedDefinition &definition) {
      if (seen.try_emplace(definition.id.value, true).second)
        ++needed[packOf(definition.id)];
    });
  }
  return needed;
}

} // namespace

UnitRowId UnitWriter::findUnit(llvm::StringRef key) {
  SQLite::Statement query(connection_.database, "SELECT id FROM unit WHERE key = ?");
  bindBlob(query, 1, key);
  return query.executeStep() ? UnitRowId{query.getColumn(0).getUInt()} : UnitRowId{};
}

UnitRowId UnitWriter::insert(const Row &row) {
  SQLite::Statement insert(connection_.database,
                           "INSERT INTO unit (key, name, source, object, command, error, inputs, "
                           "missed, definitions, rest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  bindBlob(insert, 1, row.key);
  insert.bind(2, row.name);
  insert.bind(3, row.source);
  insert.bind(4, row.object);
  bindBlob(insert, 5, row.command);
  insert.bind(6, row.error);
  bindBlob(insert, 7, row.inputs);
  bindBlob(insert, 8, row.missed);
  bindBlob(insert, 9, row.definitions);
  bindBlob(insert, 10, row.rest);
  insert.exec();
  return {static_cast<std::uint32_t>(connection_.database.getLastInsertRowid())};
}

std::vector<PlacedDefinition> UnitWriter::addDefinitions(const std::vector<Encoded> &definitions,
                                                         FingerprintBuilder &unitKey) {
  std::vector<PlacedDefinition> placed;
  placed.reserve(definitions.size());
  unitKey.add(definitions.size());
  for (const Encoded &definition : definitions) {
    Fingerprint key = keyOf(definition);
    unitKey.add(key).add(definition.startLine);
    placed.push_back({packs_.add(key, definition), definition.startLine});
  }
  return placed;
}

UnitRowId UnitWriter::add(const NamedUnit &named) {
  const UnitRecord &unit = *named.unit;
  const Names &names = *named.names;
  FingerprintBuilder key;
  key.add(unit.name).add(unit.source).add(unit.object).add(unit.command).add(unit.error);

  UnitDefinitions definitions;
  definitions.functions =
      addDefinitions(encodeAll(unit.graph.functions, names, encodeFunction), key);
  definitions.classes = addDefinitions(encodeAll(unit.graph.classes, names, encodeClass), key);
  definitions.variables =
      addDefinitions(encodeAll(unit.graph.variables, names, encodeVariable), key);

  std::vector<std::uint32_t> inputs, missed;
  key.add(unit.inputs.size()).add(unit.missed.size());
  for (const FileInput &input : unit.inputs) {
    key.add(input.path).add(input.content);
    inputs.push_back(files_.addVersion(input));
  }
  for (const std::string &path : unit.missed) {
    key.add(path);
    missed.push_back(files_.addPath(path));
  }

  Encoded encodedRest = encodeUnitRest(unit.graph, names);
  ByteWriter rest;
  rest.text(encodedRest.names);
  rest.text(encodedRest.structure);
  key.add(rest.bytes());

  Row row{bytesOf(key.finish()),
          unit.name,
          unit.source,
          unit.object,
          bytesOf(unit.command),
          unit.error,
          encodeIds(inputs),
          encodeIds(missed),
          encodeDefinitions(definitions),
          compressed(rest.bytes(), kRestLevel)};
  UnitRowId known = findUnit(row.key);
  return known.isValid() ? known : insert(row);
}

llvm::Expected<std::vector<UnitRowId>> UnitWriter::copy(Connection &from,
                                                        const std::vector<UnitRowId> &units) {
  auto needed = neededPerPack(from, units);
  if (!needed)
    return needed.takeError();
  auto files = loadFiles(from);
  if (!files)
    return files.takeError();
  PackReader sourcePacks(from);
  llvm::DenseMap<std::uint32_t, std::uint32_t> adopted; // packs there to packs here, 0 for none
  llvm::DenseMap<std::uint32_t, DefinitionId> moved;    // definitions there to definitions here

  auto copyDefinition = [&](DefinitionId id) -> llvm::Expected<DefinitionId> {
    auto [pack, isNew] = adopted.try_emplace(packOf(id), 0);
    // Bytes as they are, unless most of them are of no use here.
    if (isNew && (*needed)[packOf(id)] >= kPackSparse)
      pack->second = packs_.adopt(from, packOf(id));
    if (pack->second != 0)
      return definitionAt(pack->second, placeOf(id));
    auto [known, isFirst] = moved.try_emplace(id.value);
    if (isFirst) {
      auto definition = sourcePacks.find(id);
      if (!definition)
        return definition.takeError();
      known->second = packs_.add(definition->key, definition->bytes);
    }
    return known->second;
  };

  std::vector<UnitRowId> result;
  SQLite::Statement source(from.database,
                           "SELECT key, name, source, object, command, error, inputs, missed, "
                           "definitions, rest FROM unit WHERE id = ?");
  for (UnitRowId unit : units) {
    source.reset();
    source.bind(1, unit.value);
    if (!source.executeStep())
      return error(ErrorKind::Store, "a unit is missing");
    Row row;
    std::string *const columns[] = {&row.key,         &row.name,  &row.source, &row.object,
                                    &row.command,     &row.error, &row.inputs, &row.missed,
                                    &row.definitions, &row.rest};
    for (int column = 0; column < 10; ++column)
      *columns[column] = blobOf(source.getColumn(column)).str();
    if (UnitRowId known = findUnit(row.key); known.isValid()) {
      result.push_back(known);
      continue;
    }

    auto inputs = decodeIds(row.inputs);
    if (!inputs)
      return inputs.takeError();
    for (std::uint32_t &id : *inputs) {
      if (id >= files->versions.size() || !files->versions[id].path.isValid())
        return error(ErrorKind::Store, "an input of {} is missing", row.name);
      const FileVersion &version = files->versions[id];
      id = files_.addVersion({files->paths[version.path.value], version.content});
    }
    auto missed = decodeIds(row.missed);
    if (!missed)
      return missed.takeError();
    for (std::uint32_t &id : *missed) {
      if (id >= files->paths.size())
        return error(ErrorKind::Store, "a missed path of {} is missing", row.name);
      id = files_.addPath(files->paths[id]);
    }
    auto definitions = decodeDefinitions(row.definitions);
    if (!definitions)
      return definitions.takeError();
    llvm::Error failure = llvm::Error::success();
    definitions->forEach([&](PlacedDefinition &definition) {
      if (failure)
        return;
      auto id = copyDefinition(definition.id);
      if (id)
        definition.id = *id;
      else
        failure = id.takeError();
    });
    if (failure)
      return failure;
    row.inputs = encodeIds(*inputs);
    row.missed = encodeIds(*missed);
    row.definitions = encodeDefinitions(*definitions);
    result.push_back(insert(row));
  }
  return result;
}

} // namespace retest
