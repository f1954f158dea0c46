#include "tests/notation/matrix.h"

#include <llvm/ADT/SmallVector.h>

#include <cassert>
#include <map>
#include <set>

namespace retest {

namespace {

struct Item {
  std::string function; ///< empty: constructed
  std::string type;
  bool isAll = false;
  int edge = -1; ///< -1: the entry
};

struct Line {
  RecordedTest test;
  std::vector<Item> items;
};

Item parseItem(llvm::StringRef text) {
  Item item;
  if (text.consume_front("makes ")) {
    item.type = text.str();
    return item;
  }
  item.isAll = text.consume_back("*");
  auto [name, edge] = text.rsplit('#');
  if (!edge.empty() && !edge.getAsInteger(10, item.edge))
    text = name;
  item.function = text.str();
  return item;
}

Line parseLine(llvm::StringRef text) {
  Line line;
  std::size_t end = text.find("! ");
  bool isMeasured = end == llvm::StringRef::npos;
  if (isMeasured)
    end = text.find(": ");
  assert(end != llvm::StringRef::npos && "a line names a test and what it reached");
  llvm::StringRef id = text.take_front(end), rest = text.drop_front(end + 2);
  auto [binary, name] = id.split("::");
  line.test.name = (name.empty() ? id : name).str();
  if (!name.empty()) {
    line.test.binary = "<build>/" + binary.str();
    line.test.framework = Framework::GoogleTest;
  }
  line.test.status = TestStatus::Passed;
  if (!isMeasured) {
    line.test.unmeasured = rest.str();
    return line;
  }
  llvm::SmallVector<llvm::StringRef> items;
  rest.split(items, " + ");
  for (llvm::StringRef item : items)
    line.items.push_back(parseItem(item.trim()));
  return line;
}

struct Place {
  std::size_t unit = 0;
  std::uint32_t function = 0;
};

Place placeOf(llvm::StringRef name, const std::vector<UnitRecord> &units, const Names &names) {
  for (std::size_t unit = 0; unit < units.size(); ++unit)
    for (std::uint32_t i = 0; i < units[unit].graph.functions.size(); ++i)
      if (names.text(units[unit].graph.functions[i].name) == name)
        return {unit, i};
  assert(false && "the function is in a unit");
  return {};
}

} // namespace

CoverageMatrix matrix(llvm::StringRef text, const std::vector<UnitRecord> &units,
                      const Names &names) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, '\n', -1, /*KeepEmpty=*/false);
  std::vector<Line> lines;
  for (llvm::StringRef part : parts)
    if (!part.trim().empty())
      lines.push_back(parseLine(part.trim()));
  std::sort(lines.begin(), lines.end(), [](const Line &a, const Line &b) {
    return std::tie(a.test.binary, a.test.name) < std::tie(b.test.binary, b.test.name);
  });

  // By unit, function and edge (-1: the entry); and by class.
  std::map<std::size_t, std::map<std::uint32_t, std::map<int, std::vector<TestId>>>> reached;
  std::map<std::string, std::vector<TestId>> made;
  for (std::uint32_t test = 0; test < lines.size(); ++test)
    for (const Item &item : lines[test].items) {
      if (!item.type.empty()) {
        made[item.type].push_back({test});
        continue;
      }
      Place place = placeOf(item.function, units, names);
      auto &edges = reached[place.unit][place.function];
      edges[-1];
      int count = units[place.unit].graph.functions[place.function].flow.edges.size();
      for (int edge = -1; edge < count; ++edge)
        if (item.isAll || edge == item.edge)
          if (edges[edge].empty() || edges[edge].back().value != test)
            edges[edge].push_back({test});
    }

  CoverageMatrix result;
  std::map<std::vector<TestId>, std::uint32_t> classes{{{}, 0}};
  auto classOf = [&](const std::vector<TestId> &tests) {
    auto [entry, isNew] = classes.try_emplace(tests, classes.size());
    if (isNew)
      result.classes.push_back(tests);
    return CoverageClassId{entry->second};
  };
  for (Line &line : lines)
    result.tests.push_back(std::move(line.test));
  for (auto &[unit, functions] : reached) {
    UnitCoverage &coverage = result.units.emplace_back();
    coverage.unit = units[unit].name;
    for (auto &[function, edges] : functions) {
      coverage.functions.push_back(function);
      FunctionCoverage &row = coverage.rows.emplace_back();
      row.entry = classOf(edges[-1]);
      int count = units[unit].graph.functions[function].flow.edges.size();
      for (int edge = 0; edge < count; ++edge)
        row.edges.push_back(classOf(edges[edge]));
    }
  }
  for (const auto &[type, tests] : made)
    result.constructed.push_back({type, classOf(tests)});
  return result;
}

} // namespace retest
