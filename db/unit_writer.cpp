#include "db/unit_writer.h"

#include "db/compress.h"

namespace retest {

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

} // namespace

UnitRowId UnitWriter::findUnit(llvm::StringRef key) {
  SQLite::Statement query(connection_.database, "SELECT id FROM unit WHERE key = ?");
  bindBlob(query, 1, key);
  return query.executeStep() ? UnitRowId{query.getColumn(0).getUInt()} : UnitRowId{};
}

UnitRowId UnitWriter::insert(const UnitRow &row) {
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
    key.add(input.path).add(input.content).add(input.seen);
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
  rest.text(encodedRest.fingerprints);
  key.add(rest.bytes());

  UnitRow row{bytesOf(key.finish()),
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

} // namespace retest
