#include "db/store.h"
#include "db/units.h"

#include <algorithm>
#include <cstdlib>

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

} // namespace

llvm::Expected<std::vector<StoredFunction>>
Store::functionsNamed(const BaselineIndex &index, llvm::function_ref<bool(llvm::StringRef)> matches,
                      Names &names) {
  return guarded(connection_->path, [&]() -> llvm::Expected<std::vector<StoredFunction>> {
    SQLite::Transaction snapshot(connection_->database);
    auto wanted = packs_->named(matches);
    if (!wanted)
      return damaged(connection_->path, wanted.takeError());
    auto found = collect(*connection_, index, *wanted, names, [](EncodedRef) { return true; });
    if (!found)
      return damaged(connection_->path, found.takeError());
    return found;
  });
}

llvm::Expected<FunctionsOnLine> Store::functionsOnLine(const BaselineIndex &index,
                                                       llvm::StringRef file, std::uint32_t line,
                                                       Names &names) {
  constexpr std::int64_t kNear = 100;
  auto isThere = [&](EncodedRef function) { return isOnLine(function, file, line); };
  auto isNear = [&](EncodedRef function) {
    return std::abs(std::int64_t{function.startLine} - std::int64_t{line}) <= kNear;
  };
  return guarded(connection_->path, [&]() -> llvm::Expected<FunctionsOnLine> {
    SQLite::Transaction snapshot(connection_->database);
    auto wanted = packs_->mentioning(file);
    if (!wanted)
      return damaged(connection_->path, wanted.takeError());
    auto there = collect(*connection_, index, *wanted, names, isThere);
    if (!there)
      return damaged(connection_->path, there.takeError());
    if (!there->empty())
      return FunctionsOnLine{std::move(*there), {}};
    auto near = collect(*connection_, index, *wanted, names, isNear);
    if (!near)
      return damaged(connection_->path, near.takeError());
    return FunctionsOnLine{{}, std::move(*near)};
  });
}

} // namespace retest
