#include "db/store.h"
#include "db/units.h"

#include <map>

namespace retest {
namespace {

/// The functions among `wanted` in the units of an index.
llvm::Expected<std::vector<StoredFunction>> collect(Connection &connection, PackReader &packs,
                                                    const BaselineIndex &index,
                                                    const llvm::DenseSet<std::uint32_t> &wanted,
                                                    Names &names) {
  std::vector<StoredFunction> found;
  // One that starts on another line is another one: its lines are others.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
  for (const StoredUnit &unit : index.units) {
    auto definitions = loadDefinitions(connection, unit.id);
    if (!definitions)
      return definitions.takeError();
    for (std::uint32_t i = 0; i < definitions->functions.size(); ++i) {
      const PlacedDefinition &placed = definitions->functions[i];
      if (!wanted.contains(placed.id.value))
        continue;
      auto [entry, isNew] = known.try_emplace({placed.id.value, placed.startLine}, found.size());
      if (isNew) {
        auto definition = packs.find(placed.id);
        if (!definition)
          return definition.takeError();
        definition->bytes.startLine = placed.startLine;
        auto function = decodeFunction(definition->bytes, names);
        if (!function)
          return function.takeError();
        found.push_back({std::move(*function), {}});
      }
      found[entry->second].places.push_back({unit.name, i});
    }
  }
  return found;
}

/// The functions of an index among the definitions that `find` gives.
llvm::Expected<std::vector<StoredFunction>>
functionsThat(Connection &connection, PackReader &packs, const BaselineIndex &index, Names &names,
              llvm::function_ref<llvm::Expected<llvm::DenseSet<std::uint32_t>>()> find) {
  return guarded(connection.path, [&]() -> llvm::Expected<std::vector<StoredFunction>> {
    SQLite::Transaction snapshot(connection.database);
    auto wanted = find();
    if (!wanted)
      return damaged(connection.path, wanted.takeError());
    auto found = collect(connection, packs, index, *wanted, names);
    if (!found)
      return damaged(connection.path, found.takeError());
    return found;
  });
}

} // namespace

llvm::Expected<std::vector<StoredFunction>>
Store::functionsNamed(const BaselineIndex &index, llvm::function_ref<bool(llvm::StringRef)> matches,
                      Names &names) {
  return functionsThat(*connection_, *packs_, index, names,
                       [&] { return definitionsNamed(*connection_, matches); });
}

llvm::Expected<std::vector<StoredFunction>>
Store::functionsMentioning(const BaselineIndex &index,
                           llvm::function_ref<bool(llvm::StringRef)> matches, Names &names) {
  return functionsThat(*connection_, *packs_, index, names,
                       [&] { return definitionsMentioning(*connection_, matches); });
}

} // namespace retest
