#include "db/unit_writer.h"

#include <llvm/ADT/DenseSet.h>

namespace retest {

/// Brings units of one file into another. Their numbers of files and definitions change; the
/// bytes of the definitions do not.
class UnitCopier {
public:
  UnitCopier(Connection &from, UnitWriter &to)
      : from_(from), to_(to), packs_(from),
        row_(from.database, "SELECT key, name, source, object, command, error, inputs, missed, "
                            "definitions, rest FROM unit WHERE id = ?") {}

  llvm::Error prepare(const std::vector<UnitRowId> &units);
  llvm::Expected<UnitRowId> copy(UnitRowId unit);

private:
  llvm::Expected<UnitRow> load(UnitRowId unit);
  llvm::Error translateInputs(UnitRow &row);
  llvm::Error translateMissed(UnitRow &row);
  llvm::Error translateDefinitions(UnitRow &row);
  llvm::Expected<DefinitionId> copyDefinition(DefinitionId id);

  Connection &from_;
  UnitWriter &to_;
  PackReader packs_;
  SQLite::Statement row_;
  FileTable files_;
  llvm::DenseMap<std::uint32_t, std::uint32_t> needed_;  // of each pack, how many definitions
  llvm::DenseMap<std::uint32_t, std::uint32_t> adopted_; // packs there and here, 0 for none
  llvm::DenseMap<std::uint32_t, DefinitionId> moved_;    // definitions there and here
};

llvm::Error UnitCopier::prepare(const std::vector<UnitRowId> &units) {
  auto files = loadFiles(from_);
  if (!files)
    return files.takeError();
  files_ = std::move(*files);
  llvm::DenseSet<std::uint32_t> seen;
  for (UnitRowId unit : units) {
    auto definitions = loadDefinitions(from_, unit);
    if (!definitions)
      return definitions.takeError();
    definitions->forEach([&](PlacedDefinition &definition) {
      if (seen.insert(definition.id.value).second)
        ++needed_[packOf(definition.id)];
    });
  }
  return llvm::Error::success();
}

llvm::Expected<UnitRow> UnitCopier::load(UnitRowId unit) {
  row_.reset();
  row_.bind(1, unit.value);
  if (!row_.executeStep())
    return error(ErrorKind::Store, "a unit is missing");
  UnitRow row;
  int column = 0;
  for (std::string *part : {&row.key, &row.name, &row.source, &row.object, &row.command, &row.error,
                            &row.inputs, &row.missed, &row.definitions, &row.rest})
    *part = blobOf(row_.getColumn(column++)).str();
  return row;
}

llvm::Error UnitCopier::translateInputs(UnitRow &row) {
  auto ids = decodeIds(row.inputs);
  if (!ids)
    return ids.takeError();
  for (std::uint32_t &id : *ids) {
    if (id >= files_.versions.size() || !files_.versions[id].path.isValid())
      return error(ErrorKind::Store, "an input of {} is missing", row.name);
    const FileVersion &version = files_.versions[id];
    id = to_.files_.addVersion({files_.paths[version.path.value], version.content, version.seen});
  }
  row.inputs = encodeIds(*ids);
  return llvm::Error::success();
}

llvm::Error UnitCopier::translateMissed(UnitRow &row) {
  auto ids = decodeIds(row.missed);
  if (!ids)
    return ids.takeError();
  for (std::uint32_t &id : *ids) {
    if (id >= files_.paths.size())
      return error(ErrorKind::Store, "a missed path of {} is missing", row.name);
    id = to_.files_.addPath(files_.paths[id]);
  }
  row.missed = encodeIds(*ids);
  return llvm::Error::success();
}

llvm::Expected<DefinitionId> UnitCopier::copyDefinition(DefinitionId id) {
  auto [pack, isNew] = adopted_.try_emplace(packOf(id), 0);
  // The whole pack as it is, unless little of it is of use.
  if (isNew && needed_.lookup(packOf(id)) >= kPackSparse)
    pack->second = to_.packs_.adopt(from_, packOf(id));
  if (pack->second != 0)
    return definitionAt(pack->second, placeOf(id));
  auto [known, isFirst] = moved_.try_emplace(id.value);
  if (isFirst) {
    auto definition = packs_.find(id);
    if (!definition)
      return definition.takeError();
    known->second = to_.packs_.add(definition->key, definition->bytes);
  }
  return known->second;
}

llvm::Error UnitCopier::translateDefinitions(UnitRow &row) {
  auto definitions = decodeDefinitions(row.definitions);
  if (!definitions)
    return definitions.takeError();
  for (auto *list : {&definitions->functions, &definitions->classes, &definitions->variables}) {
    for (PlacedDefinition &definition : *list) {
      auto id = copyDefinition(definition.id);
      if (!id)
        return id.takeError();
      definition.id = *id;
    }
  }
  row.definitions = encodeDefinitions(*definitions);
  return llvm::Error::success();
}

llvm::Expected<UnitRowId> UnitCopier::copy(UnitRowId unit) {
  auto row = load(unit);
  if (!row)
    return row.takeError();
  if (UnitRowId known = to_.findUnit(row->key); known.isValid())
    return known;
  if (llvm::Error problem = translateInputs(*row))
    return problem;
  if (llvm::Error problem = translateMissed(*row))
    return problem;
  if (llvm::Error problem = translateDefinitions(*row))
    return problem;
  return to_.insert(*row);
}

llvm::Expected<std::vector<UnitRowId>> UnitWriter::copy(Connection &from,
                                                        const std::vector<UnitRowId> &units) {
  UnitCopier copier(from, *this);
  if (llvm::Error problem = copier.prepare(units))
    return problem;
  std::vector<UnitRowId> result;
  for (UnitRowId unit : units) {
    auto copied = copier.copy(unit);
    if (!copied)
      return copied.takeError();
    result.push_back(*copied);
  }
  return result;
}

} // namespace retest
