#pragma once

#include "graph/unit_record.h"

#include <random>

namespace retest {

/// Makes values of every shape that the types allow, sensible or not, the same for each seed.
class RandomGraph {
public:
  RandomGraph(unsigned seed, Names &names) : random_(seed), names_(names) {}

  std::uint32_t below(std::uint32_t limit) { return random_() % limit; }
  std::string text();
  NameId name();
  SourcePosition position();
  Fingerprint fingerprint() { return {wide(), wide()}; }

  Function function();
  Class classValue();
  Variable variable();
  UnitGraph unitGraph(std::string name, unsigned functions);
  /// A unit with inputs and missed paths, and a graph of that many functions.
  UnitRecord unit(std::string name, unsigned functions = 5);

private:
  bool flag() { return below(2) != 0; }
  std::uint64_t wide() { return (std::uint64_t{random_()} << 32) | random_(); }
  template <class Choice> Choice choice(Choice last) {
    return static_cast<Choice>(below(static_cast<std::uint32_t>(last) + 1));
  }
  SourceRange range() { return {position(), position()}; }
  std::vector<NameId> names();
  std::vector<Use> uses();
  Node node();

  std::mt19937 random_;
  Names &names_;
};

} // namespace retest
