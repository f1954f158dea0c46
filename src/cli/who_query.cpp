#include "cli/who_query.h"

#include "report/graph_view.h"
#include "report/graph_words.h"
#include "support/error.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <set>

namespace retest {

namespace {

constexpr std::size_t kShownNames = 5;

/// "ns::Box<int>::put(int)" -> "put".
llvm::StringRef lastPart(llvm::StringRef name) {
  name = name.substr(0, name.find_first_of("(<"));
  std::size_t colon = name.rfind("::");
  return colon == llvm::StringRef::npos ? name : name.substr(colon + 2);
}

bool isNear(llvm::StringRef a, llvm::StringRef b) {
  unsigned allowed = a.size() < 4 ? 1 : 2;
  return a.equals_insensitive(b) || a.edit_distance(b, true, allowed) <= allowed;
}

/// "; did you mean a, b?", or nothing.
std::string suggestion(const std::set<std::string> &names) {
  if (names.empty())
    return "";
  std::vector<std::string> shown(names.begin(),
                                 std::next(names.begin(), std::min(names.size(), kShownNames)));
  return fmt::format("; did you mean {}?", fmt::join(shown, ", "));
}

llvm::Error noSuchFunction(Store &store, const BaselineIndex &index, const std::string &typed) {
  Names names;
  llvm::StringRef wanted = lastPart(typed);
  auto near = store.functionsNamed(
      index, [&](llvm::StringRef name) { return isNear(lastPart(name), wanted); }, names);
  if (!near)
    return near.takeError();
  std::set<std::string> suggested;
  for (const StoredFunction &found : *near)
    suggested.insert(utf8(names.text(found.function.name)));
  return error(ErrorKind::Usage, "{}: no function of baseline {} has this name{}", typed,
               index.info.name, suggestion(suggested));
}

/// The files that units of the baseline read and that are in the project.
llvm::StringSet<> filesOf(const BaselineIndex &index) {
  llvm::StringSet<> files;
  for (const StoredUnit &unit : index.units)
    for (FileVersionId input : unit.files.inputs) {
      if (input.value >= index.files.versions.size() ||
          !index.files.versions[input.value].path.isValid())
        continue;
      llvm::StringRef path = index.files.paths[index.files.versions[input.value].path.value];
      if (!path.starts_with("/"))
        files.insert(path);
    }
  return files;
}

/// The file as the baseline names it. A path also matches from its end, as in `retest graph`.
llvm::Expected<std::string> findFile(const BaselineIndex &index, const ProjectPaths &paths,
                                     const std::string &typed) {
  llvm::StringSet<> files = filesOf(index);
  llvm::SmallString<256> path(typed);
  std::string name = typed;
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::make_absolute(path))
    name = paths.nameOf(path);
  if (files.contains(name))
    return name;
  std::set<std::string> matching, near;
  llvm::StringRef last = llvm::sys::path::filename(typed);
  for (llvm::StringRef file : files.keys()) {
    if (file.ends_with("/" + typed) || file == typed)
      matching.insert(file.str());
    else if (isNear(llvm::sys::path::filename(file), last))
      near.insert(file.str());
  }
  if (matching.size() == 1)
    return *matching.begin();
  if (!matching.empty())
    return error(ErrorKind::Usage, "{}: several files have this name: {}", typed,
                 fmt::join(matching, ", "));
  return error(ErrorKind::Usage, "{}: no unit of baseline {} reads a file of this name{}", typed,
               index.info.name, suggestion(near));
}

std::vector<NodeId> nodesOn(const Function &function, NameId file, std::uint32_t line) {
  std::vector<NodeId> nodes;
  for (std::uint32_t i = 0; i < function.flow.nodes.size(); ++i)
    if (llvm::any_of(function.flow.nodes[i].elements,
                     [&](const Element &element) { return element.where.isOnLine(file, line); }))
      nodes.push_back({i});
  return nodes;
}

llvm::Error noFunctionThere(const WhoQuery &query, const std::string &file,
                            const std::vector<StoredFunction> &candidates, const Names &names) {
  std::set<std::pair<std::uint32_t, std::string>> near;
  for (const StoredFunction &found : candidates) {
    const SourceRange &where = found.function.where;
    if (!where.begin.isKnown() || names.text(where.begin.file) != file)
      continue;
    std::uint32_t distance =
        query.line < where.begin.line ? where.begin.line - query.line : query.line - where.end.line;
    near.insert({distance, fmt::format("{} at line {}", utf8(names.text(found.function.name)),
                                       where.begin.line)});
  }
  if (near.empty())
    return error(ErrorKind::Usage, "{}:{}: no function of the baseline is on this line or near it",
                 file, query.line);
  return error(ErrorKind::Usage, "{}:{}: no function of the baseline is on this line; near is {}",
               file, query.line, near.begin()->second);
}

llvm::Expected<WhoTarget> findLine(Store &store, const BaselineIndex &index,
                                   const ProjectPaths &paths, const WhoQuery &query, Names &names) {
  llvm::Expected<std::string> name = findFile(index, paths, query.file);
  if (!name)
    return name.takeError();
  auto onLine = store.functionsOnLine(index, *name, query.line, names);
  if (!onLine)
    return onLine.takeError();
  NameId file = names.intern(*name);
  WhoTarget exact, around;
  for (StoredFunction &found : onLine->there) {
    std::vector<NodeId> nodes = nodesOn(found.function, file, query.line);
    if (!nodes.empty())
      exact.parts.push_back({std::move(found), std::move(nodes)});
    else
      around.parts.push_back({std::move(found), {}});
  }
  if (!exact.parts.empty())
    return exact;
  if (!around.parts.empty())
    return around;
  return noFunctionThere(query, *name, onLine->near, names);
}

llvm::Expected<WhoTarget> findFunction(Store &store, const BaselineIndex &index,
                                       const std::string &typed, Names &names) {
  // Looking at all parts of a name takes time; most names lack even this word.
  llvm::StringRef last = lastPart(typed);
  llvm::StringRef word =
      last.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '~'; });
  auto found = store.functionsNamed(
      index, [&](llvm::StringRef name) { return name.contains(word) && answersTo(name, typed); },
      names);
  if (!found)
    return found.takeError();
  bool hasExact = llvm::any_of(*found, [&](const StoredFunction &function) {
    return names.text(function.function.name) == typed;
  });
  WhoTarget target;
  for (StoredFunction &function : *found)
    if (!hasExact || names.text(function.function.name) == typed)
      target.parts.push_back({std::move(function), {}});
  if (target.parts.empty())
    return noSuchFunction(store, index, typed);
  return target;
}

void addClasses(const WhoTarget::Part &part, const FunctionCoverage &row,
                std::set<CoverageClassId> &classes) {
  if (part.nodes.empty())
    classes.insert(row.entry);
  for (NodeId node : part.nodes) {
    bool hasWayIn = false;
    for (std::size_t i = 0; i < row.edges.size(); ++i)
      if (part.function.function.flow.edges[i].to == node) {
        classes.insert(row.edges[i]);
        hasWayIn = true;
      }
    if (!hasWayIn || node.value == 0) // the entry, or a node that only a jump reaches
      classes.insert(row.entry);
  }
}

} // namespace

WhoQuery parseWhoQuery(const std::string &typed) {
  auto [file, line] = llvm::StringRef(typed).rsplit(':');
  std::uint32_t number = 0;
  if (file.empty() || file.ends_with(":") || line.getAsInteger(10, number) || number == 0)
    return {"", 0, typed};
  return {file.str(), number, ""};
}

llvm::Expected<WhoTarget> findTarget(Store &store, const BaselineIndex &index,
                                     const ProjectPaths &paths, const WhoQuery &query,
                                     Names &names) {
  return query.line != 0 ? findLine(store, index, paths, query, names)
                         : findFunction(store, index, query.function, names);
}

llvm::Expected<std::vector<CoverageClassId>> classesReaching(const WhoTarget &target,
                                                             StoredCoverage &coverage) {
  std::vector<std::string> names;
  for (const WhoTarget::Part &part : target.parts)
    for (const StoredFunction::Place &place : part.function.places)
      names.push_back(place.unit);
  llvm::Expected<std::vector<UnitCoverage>> units = coverage.units(names);
  if (!units)
    return units.takeError();
  std::set<CoverageClassId> classes;
  for (const WhoTarget::Part &part : target.parts)
    for (const StoredFunction::Place &place : part.function.places) {
      auto unit =
          llvm::lower_bound(*units, place.unit,
                            [](const UnitCoverage &a, const std::string &b) { return a.unit < b; });
      if (unit == units->end() || unit->unit != place.unit)
        continue;
      auto row = llvm::lower_bound(unit->functions, place.position);
      if (row == unit->functions.end() || *row != place.position)
        continue;
      const FunctionCoverage &function = unit->rows[row - unit->functions.begin()];
      if (function.edges.size() != part.function.function.flow.edges.size())
        return error(ErrorKind::Store,
                     "{}: its coverage does not fit its functions; 'retest db check' tells more",
                     place.unit);
      addClasses(part, function, classes);
    }
  return std::vector<CoverageClassId>(classes.begin(), classes.end());
}

} // namespace retest
