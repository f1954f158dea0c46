#include "db/units.h"

#include "db/compress.h"

namespace retest {
namespace {

constexpr int kUnitLevel = 6;

llvm::Expected<std::vector<PlacedDefinition>> decodeList(ByteReader &reader) {
  std::vector<PlacedDefinition> list(reader.count(2));
  std::int64_t id = 0, line = 0;
  for (PlacedDefinition &definition : list) {
    // Unsigned, so that damaged steps wrap around.
    id = static_cast<std::uint32_t>(id + static_cast<std::uint64_t>(reader.difference()));
    line = static_cast<std::uint32_t>(line + static_cast<std::uint64_t>(reader.difference()));
    definition = {{static_cast<std::uint32_t>(id)}, static_cast<std::uint32_t>(line)};
  }
  return list;
}

void encodeList(ByteWriter &bytes, const std::vector<PlacedDefinition> &list) {
  bytes.number(list.size());
  std::int64_t id = 0, line = 0;
  for (const PlacedDefinition &definition : list) {
    bytes.difference(definition.id.value - id);
    bytes.difference(definition.startLine - line);
    id = definition.id.value;
    line = definition.startLine;
  }
}

template <class Value>
llvm::Expected<std::vector<Value>>
decodeAll(PackReader &packs, const std::vector<PlacedDefinition> &definitions, Names &names,
          llvm::Expected<Value> (*decode)(EncodedRef, Names &)) {
  std::vector<Value> values;
  values.reserve(definitions.size());
  for (const PlacedDefinition &placed : definitions) {
    auto definition = packs.find(placed.id);
    if (!definition)
      return definition.takeError();
    definition->bytes.startLine = placed.startLine;
    auto value = decode(definition->bytes, names);
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }
  return values;
}

llvm::Expected<std::vector<FileInput>> inputsOf(const StoredUnit &unit, const FileTable &files) {
  std::vector<FileInput> inputs;
  for (FileVersionId id : unit.files.inputs) {
    if (id.value >= files.versions.size() || !files.versions[id.value].path.isValid())
      return error(ErrorKind::Store, "an input of {} is missing", unit.name);
    const FileVersion &version = files.versions[id.value];
    inputs.push_back({files.paths[version.path.value], version.content, version.seen});
  }
  return inputs;
}

} // namespace

std::string encodeDefinitions(const UnitDefinitions &definitions) {
  ByteWriter bytes;
  encodeList(bytes, definitions.functions);
  encodeList(bytes, definitions.classes);
  encodeList(bytes, definitions.variables);
  return compressed(bytes.bytes(), kUnitLevel);
}

llvm::Expected<UnitDefinitions> decodeDefinitions(llvm::StringRef bytes) {
  auto list = decompressed(bytes);
  if (!list)
    return list.takeError();
  ByteReader reader(*list);
  UnitDefinitions definitions;
  for (auto *part : {&definitions.functions, &definitions.classes, &definitions.variables}) {
    auto decoded = decodeList(reader);
    if (!decoded)
      return decoded.takeError();
    *part = std::move(*decoded);
  }
  if (reader.hasFailed() || !reader.isAtEnd())
    return error(ErrorKind::Store, "a list of definitions cannot be read");
  return definitions;
}

llvm::Expected<std::vector<StoredUnit>> loadStoredUnits(Connection &connection,
                                                        const std::string &query) {
  SQLite::Statement rows(connection.database, query);
  std::vector<StoredUnit> units;
  while (rows.executeStep()) {
    StoredUnit unit;
    unit.id = {rows.getColumn(0).getUInt()};
    unit.name = rows.getColumn(1).getString();
    unit.source = rows.getColumn(2).getString();
    unit.object = rows.getColumn(3).getString();
    ByteReader command(blobOf(rows.getColumn(4)));
    unit.command = command.fingerprint();
    unit.error = rows.getColumn(5).getString();
    auto inputs = decodeIds(blobOf(rows.getColumn(6)));
    if (!inputs)
      return inputs.takeError();
    auto missed = decodeIds(blobOf(rows.getColumn(7)));
    if (!missed)
      return missed.takeError();
    for (std::uint32_t id : *inputs)
      unit.files.inputs.push_back({id});
    for (std::uint32_t id : *missed)
      unit.files.missed.push_back({id});
    units.push_back(std::move(unit));
  }
  return units;
}

llvm::Expected<UnitDefinitions> loadDefinitions(Connection &connection, UnitRowId unit) {
  SQLite::Statement row(connection.database, "SELECT definitions FROM unit WHERE id = ?");
  row.bind(1, unit.value);
  if (!row.executeStep())
    return error(ErrorKind::Store, "a unit is missing");
  return decodeDefinitions(blobOf(row.getColumn(0)));
}

namespace {

/// What a unit holds beside its definitions, which are numbers yet.
struct UnitRow {
  UnitGraph rest;
  UnitDefinitions definitions;
};

llvm::Expected<UnitRow> loadRow(Connection &connection, UnitRowId unit, Names &names) {
  SQLite::Statement row(connection.database, "SELECT definitions, rest FROM unit WHERE id = ?");
  row.bind(1, unit.value);
  if (!row.executeStep())
    return error(ErrorKind::Store, "a unit is missing");
  auto definitions = decodeDefinitions(blobOf(row.getColumn(0)));
  if (!definitions)
    return definitions.takeError();
  auto bytes = decompressed(blobOf(row.getColumn(1)));
  if (!bytes)
    return bytes.takeError();
  ByteReader parts(*bytes);
  EncodedRef rest;
  rest.names = parts.text();
  rest.structure = parts.text();
  rest.fingerprints = parts.text();
  auto graph = decodeUnitRest(rest, names);
  if (!graph)
    return graph.takeError();
  return UnitRow{std::move(*graph), std::move(*definitions)};
}

} // namespace

llvm::Expected<UnitGraph> loadUnitGraph(Connection &connection, PackReader &packs, UnitRowId unit,
                                        Names &names) {
  auto row = loadRow(connection, unit, names);
  if (!row)
    return row.takeError();
  auto functions = decodeAll(packs, row->definitions.functions, names, decodeFunction);
  if (!functions)
    return functions.takeError();
  auto classes = decodeAll(packs, row->definitions.classes, names, decodeClass);
  if (!classes)
    return classes.takeError();
  auto variables = decodeAll(packs, row->definitions.variables, names, decodeVariable);
  if (!variables)
    return variables.takeError();
  row->rest.functions = std::move(*functions);
  row->rest.classes = std::move(*classes);
  row->rest.variables = std::move(*variables);
  return std::move(row->rest);
}

template <class Value>
llvm::Error SharedUnitLoader::loadAll(const std::vector<PlacedDefinition> &definitions,
                                      Known<Value> &known,
                                      llvm::Expected<Value> (*decode)(EncodedRef, Names &),
                                      SharedPool<Value> &values) {
  for (const PlacedDefinition &placed : definitions) {
    std::shared_ptr<const Value> &value = known[{placed.id.value, placed.startLine}];
    if (!value) {
      auto definition = packs_.find(placed.id);
      if (!definition)
        return definition.takeError();
      definition->bytes.startLine = placed.startLine;
      auto decoded = decode(definition->bytes, names_);
      if (!decoded)
        return decoded.takeError();
      value = std::make_shared<const Value>(std::move(*decoded));
    }
    values.add(value);
  }
  return llvm::Error::success();
}

llvm::Expected<SharedUnit> SharedUnitLoader::load(const StoredUnit &unit) {
  auto row = loadRow(connection_, unit.id, names_);
  if (!row)
    return row.takeError();
  SharedUnit shared;
  shared.rest = std::move(row->rest);
  if (llvm::Error failed =
          loadAll(row->definitions.functions, functions_, decodeFunction, shared.functions))
    return failed;
  if (llvm::Error failed = loadAll(row->definitions.classes, classes_, decodeClass, shared.classes))
    return failed;
  if (llvm::Error failed =
          loadAll(row->definitions.variables, variables_, decodeVariable, shared.variables))
    return failed;
  auto inputs = inputsOf(unit, files_);
  if (!inputs)
    return inputs.takeError();
  shared.rest.externalHeaders = externalHeadersOf(*inputs, names_);
  return shared;
}

llvm::Expected<std::vector<ExternalHeader>> loadExternalHeaders(Connection &connection,
                                                                UnitRowId unit, Names &names) {
  SQLite::Statement row(connection.database, "SELECT inputs FROM unit WHERE id = ?");
  row.bind(1, unit.value);
  if (!row.executeStep())
    return error(ErrorKind::Store, "a unit is missing");
  auto ids = decodeIds(blobOf(row.getColumn(0)));
  if (!ids)
    return ids.takeError();
  SQLite::Statement file(connection.database,
                         "SELECT name, seen FROM file_version JOIN path ON path = path.id "
                         "WHERE file_version.id = ?");
  std::vector<FileInput> inputs; // in the order of the unit: by path
  for (std::uint32_t id : *ids) {
    file.reset();
    file.bind(1, id);
    if (!file.executeStep())
      return error(ErrorKind::Store, "an input of a unit is missing");
    ByteReader seen(blobOf(file.getColumn(1)));
    if (!seen.isAtEnd())
      inputs.push_back({file.getColumn(0).getString(), {}, seen.fingerprint()});
  }
  return externalHeadersOf(inputs, names);
}

llvm::Expected<UnitRecord> loadUnit(Connection &connection, PackReader &packs,
                                    const FileTable &files, const StoredUnit &stored,
                                    Names &names) {
  UnitRecord unit;
  unit.name = stored.name;
  unit.source = stored.source;
  unit.object = stored.object;
  unit.command = stored.command;
  unit.error = stored.error;
  auto inputs = inputsOf(stored, files);
  if (!inputs)
    return inputs.takeError();
  unit.inputs = std::move(*inputs);
  for (PathId id : stored.files.missed) {
    if (id.value >= files.paths.size())
      return error(ErrorKind::Store, "a missed path of {} is missing", stored.name);
    unit.missed.push_back(files.paths[id.value]);
  }
  auto graph = loadUnitGraph(connection, packs, stored.id, names);
  if (!graph)
    return graph.takeError();
  unit.graph = std::move(*graph);
  unit.graph.externalHeaders = externalHeadersOf(unit.inputs, names);
  return unit;
}

} // namespace retest
