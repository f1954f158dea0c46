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
llvm::Expected<std::vector<PlacedFunction>>
placesOf(Connection &connection, const BaselineIndex &index, const FoundDefinitions &wanted) {
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

using Keep = llvm::function_ref<bool(EncodedRef)>;

/// The functions among `wanted` in the units of an index.
llvm::Expected<std::vector<StoredFunction>> collect(Connection &connection,
                                                    const BaselineIndex &index,
                                                    const FoundDefinitions &wanted, Names &names,
                                                    Keep keep) {
  auto places = placesOf(connection, index, wanted);
  if (!places)
    return places.takeError();
  std::vector<StoredFunction> found;
  for (std::size_t begin = 0, end = 0; begin < places->size(); begin = end) {
    const PlacedFunction &first = (*places)[begin];
    auto isSame = [&](const PlacedFunction &other) {
      return other.id == first.id && other.startLine == first.startLine;
    };
    while (end < places->size() && isSame((*places)[end]))
      ++end;
    EncodedRef definition = wanted.find(first.id)->second;
    definition.startLine = first.startLine;
    if (!keep(definition))
      continue;
    auto function = decodeFunction(definition, names);
    if (!function)
      return function.takeError();
    StoredFunction &kept = found.emplace_back(StoredFunction{std::move(*function), {}});
    for (std::size_t i = begin; i < end; ++i)
      kept.places.push_back({index.units[(*places)[i].unit].name, (*places)[i].position});
  }
  return found;
}

/// The functions of an index among the definitions that `find` gives.
llvm::Expected<std::vector<StoredFunction>>
functionsThat(Connection &connection, const BaselineIndex &index, Names &names, Keep keep,
              llvm::function_ref<llvm::Expected<FoundDefinitions>()> find) {
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
      *connection_, index, names, [](EncodedRef) { return true; },
      [&] { return packs_->named(matches); });
}

llvm::Expected<std::vector<StoredFunction>>
Store::functionsMentioning(const BaselineIndex &index, llvm::StringRef mentioned, Names &names) {
  return functionsThat(
      *connection_, index, names, [](EncodedRef) { return true; },
      [&] { return packs_->mentioning(mentioned); });
}

llvm::Expected<std::vector<StoredFunction>> Store::functionsOnLine(const BaselineIndex &index,
                                                                   llvm::StringRef file,
                                                                   std::uint32_t line,
                                                                   Names &names) {
  return functionsThat(
      *connection_, index, names,
      [&](EncodedRef function) { return isOnLine(function, file, line); },
      [&] { return packs_->mentioning(file); });
}

} // namespace retest
