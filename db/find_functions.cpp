#include "db/store.h"
#include "db/units.h"

#include <map>

namespace retest {
namespace {

/// Where the units of an index have the functions among `wanted`: by id and line on which one
/// starts. One that starts on another line is another one: its lines are others.
using PlacesOfFunctions =
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<StoredFunction::Place>>;

llvm::Expected<PlacesOfFunctions> placesOf(Connection &connection, const BaselineIndex &index,
                                           const llvm::DenseSet<std::uint32_t> &wanted) {
  PlacesOfFunctions places;
  for (const StoredUnit &unit : index.units) {
    auto definitions = loadDefinitions(connection, unit.id);
    if (!definitions)
      return definitions.takeError();
    for (std::uint32_t i = 0; i < definitions->functions.size(); ++i) {
      const PlacedDefinition &placed = definitions->functions[i];
      if (wanted.contains(placed.id.value))
        places[{placed.id.value, placed.startLine}].push_back({unit.name, i});
    }
  }
  return places;
}

/// The functions among `wanted` in the units of an index. By id, so that each pack is opened once.
llvm::Expected<std::vector<StoredFunction>> collect(Connection &connection,
                                                    const BaselineIndex &index,
                                                    const llvm::DenseSet<std::uint32_t> &wanted,
                                                    Names &names) {
  auto places = placesOf(connection, index, wanted);
  if (!places)
    return places.takeError();
  PackReader packs(connection, 1);
  std::vector<StoredFunction> found;
  for (auto &[key, placesOfOne] : *places) {
    auto definition = packs.find({key.first});
    if (!definition)
      return definition.takeError();
    definition->bytes.startLine = key.second;
    auto function = decodeFunction(definition->bytes, names);
    if (!function)
      return function.takeError();
    found.push_back({std::move(*function), std::move(placesOfOne)});
  }
  return found;
}

/// The functions of an index among the definitions that `find` gives.
llvm::Expected<std::vector<StoredFunction>>
functionsThat(Connection &connection, const BaselineIndex &index, Names &names,
              llvm::function_ref<llvm::Expected<llvm::DenseSet<std::uint32_t>>()> find) {
  return guarded(connection.path, [&]() -> llvm::Expected<std::vector<StoredFunction>> {
    SQLite::Transaction snapshot(connection.database);
    auto wanted = find();
    if (!wanted)
      return damaged(connection.path, wanted.takeError());
    auto found = collect(connection, index, *wanted, names);
    if (!found)
      return damaged(connection.path, found.takeError());
    return found;
  });
}

} // namespace

llvm::Expected<std::vector<StoredFunction>>
Store::functionsNamed(const BaselineIndex &index, llvm::function_ref<bool(llvm::StringRef)> matches,
                      Names &names) {
  return functionsThat(*connection_, index, names,
                       [&] { return definitionsNamed(*connection_, matches); });
}

llvm::Expected<std::vector<StoredFunction>>
Store::functionsMentioning(const BaselineIndex &index,
                           llvm::function_ref<bool(llvm::StringRef)> matches, Names &names) {
  return functionsThat(*connection_, index, names,
                       [&] { return definitionsMentioning(*connection_, matches); });
}

} // namespace retest
