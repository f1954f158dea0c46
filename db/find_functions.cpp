#include "db/store.h"
#include "db/units.h"

#include <algorithm>

namespace retest {
namespace {

/// Where a unit of an index has a function: by id and line on which it starts. One that starts on
/// another line is another one: its lines are others.
struct PlacedFunction {
  std::uint32_t id, startLine;
  std::uint32_t unit; ///< index in BaselineIndex::units
  std::uint32_t position;

  auto operator<=>(const PlacedFunction &) const = default;
};

/// Those among `wanted`, sorted.
llvm::Expected<std::vector<PlacedFunction>> placesOf(Connection &connection,
                                                     const BaselineIndex &index,
                                                     const llvm::DenseSet<std::uint32_t> &wanted) {
  std::vector<PlacedFunction> places;
  for (std::uint32_t unit = 0; unit < index.units.size(); ++unit) {
    auto definitions = loadDefinitions(connection, index.units[unit].id);
    if (!definitions)
      return definitions.takeError();
    for (std::uint32_t i = 0; i < definitions->functions.size(); ++i) {
      const PlacedDefinition &placed = definitions->functions[i];
      if (wanted.contains(placed.id.value))
        places.push_back({placed.id.value, placed.startLine, unit, i});
    }
  }
  std::sort(places.begin(), places.end());
  return places;
}

using Keep = llvm::function_ref<bool(const Function &)>;

/// The functions among `wanted` in the units of an index. By id, so that each pack is opened once.
llvm::Expected<std::vector<StoredFunction>> collect(Connection &connection,
                                                    const BaselineIndex &index,
                                                    const llvm::DenseSet<std::uint32_t> &wanted,
                                                    Names &names, Keep keep) {
  auto places = placesOf(connection, index, wanted);
  if (!places)
    return places.takeError();
  PackReader packs(connection, 1);
  std::vector<StoredFunction> found;
  for (std::size_t begin = 0, end = 0; begin < places->size(); begin = end) {
    const PlacedFunction &first = (*places)[begin];
    auto isSame = [&](const PlacedFunction &other) {
      return other.id == first.id && other.startLine == first.startLine;
    };
    while (end < places->size() && isSame((*places)[end]))
      ++end;
    auto definition = packs.find({first.id});
    if (!definition)
      return definition.takeError();
    definition->bytes.startLine = first.startLine;
    auto function = decodeFunction(definition->bytes, names);
    if (!function)
      return function.takeError();
    if (!keep(*function))
      continue;
    StoredFunction &kept = found.emplace_back(StoredFunction{std::move(*function), {}});
    for (std::size_t i = begin; i < end; ++i)
      kept.places.push_back({index.units[(*places)[i].unit].name, (*places)[i].position});
  }
  return found;
}

/// The functions of an index among the definitions that `find` gives.
llvm::Expected<std::vector<StoredFunction>>
functionsThat(Connection &connection, const BaselineIndex &index, Names &names, Keep keep,
              llvm::function_ref<llvm::Expected<llvm::DenseSet<std::uint32_t>>()> find) {
  return guarded(connection.path, [&]() -> llvm::Expected<std::vector<StoredFunction>> {
    SQLite::Transaction snapshot(connection.database);
    auto wanted = find();
    if (!wanted)
      return damaged(connection.path, wanted.takeError());
    auto found = collect(connection, index, *wanted, names, keep);
    if (!found)
      return damaged(connection.path, found.takeError());
    return found;
  });
}

} // namespace

llvm::Expected<std::vector<StoredFunction>>
Store::functionsNamed(const BaselineIndex &index, llvm::function_ref<bool(llvm::StringRef)> matches,
                      Names &names) {
  return functionsThat(
      *connection_, index, names, [](const Function &) { return true; },
      [&] { return definitionsNamed(*connection_, matches); });
}

llvm::Expected<std::vector<StoredFunction>>
Store::functionsMentioning(const BaselineIndex &index,
                           llvm::function_ref<bool(llvm::StringRef)> matches, Names &names,
                           llvm::function_ref<bool(const Function &)> keep) {
  return functionsThat(*connection_, index, names, keep,
                       [&] { return definitionsMentioning(*connection_, matches); });
}

} // namespace retest
