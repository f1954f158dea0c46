#pragma once

#include "db/store.h"
#include "tests/notation/random_graph.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace retest {

/// Random units with their names.
struct SampleUnits {
  Names names;
  RandomGraph random;
  std::deque<UnitRecord> units;

  SampleUnits(unsigned seed, unsigned count, unsigned functions = 5) : random(seed, names) {
    for (unsigned i = 0; i < count; ++i)
      add(i, functions);
  }
  void add(unsigned number, unsigned functions = 5) {
    units.push_back(random.unit(fmt::format("src/{:03}.cpp", number), functions));
  }

  std::vector<NamedUnit> named() const {
    std::vector<NamedUnit> result;
    for (const UnitRecord &unit : units)
      result.push_back({&unit, &names});
    return result;
  }
  /// The units as text that does not depend on a table of names.
  std::string text() const;
};

inline BaselineInfo infoOf(const std::string &name) {
  return {name, "c0ffee", "2025-01-31T12:00:00Z", "clang 19"};
}

inline std::string messageOf(llvm::Error problem) { return llvm::toString(std::move(problem)); }

inline Store openStore(const std::string &path) {
  return llvm::cantFail(Store::open(path, OpenMode::Write));
}

/// All that a unit says, hashed: two units with the same text are the same.
std::string textOf(const UnitRecord &unit, const Names &names);

/// The units of a baseline as SampleUnits::text gives them, or the message of the error.
std::string loaded(Store &store, const std::string &baseline);

} // namespace retest
