#include "build/link_plan.h"
#include "build/link_resolver.h"
#include "build/link_sources.h"
#include "build/made_files.h"
#include "build/paths.h"

#include <optional>

namespace retest {

llvm::StringSet<> compilersOf(const CompileDatabase &database) {
  llvm::StringSet<> compilers;
  for (const Unit &unit : database.units)
    compilers.insert(unit.command.arguments.front());
  return compilers;
}

/// What a command of the project links, it may change as well (`strip`, `cat data >> tool`): such a
/// binary is an input of itself, which is known by its content.
static void addMadeBinaries(LinkPlan &plan, const ProjectPaths &paths) {
  const MadeFiles made = readMadeFiles(paths.build);
  if (made.ninja.empty()) // all that the build makes would be one
    return;
  for (Binary &binary : plan.binaries)
    if (made.contains(withRealParent(paths.pathOf(binary.name))))
      binary.inputs.push_back({LinkInput::Kind::Object, binary.name});
}

LinkPlan loadLinkPlan(const CompileDatabase &database, const ProjectPaths &paths) {
  std::vector<std::string> notes;
  // A source that yields nothing leaves its notes and makes way for the next.
  auto accept = [&](std::optional<LinkLines> lines) -> std::optional<LinkPlan> {
    if (!lines)
      return std::nullopt;
    lines->notes.insert(lines->notes.begin(), notes.begin(), notes.end());
    if (!lines->links.empty())
      return resolveLinks(*lines, database, paths);
    notes = std::move(lines->notes);
    return std::nullopt;
  };
  const llvm::StringSet<> drivers = compilersOf(database);
  if (auto plan = accept(readLinkScripts(paths, drivers)))
    return *plan;
  if (auto plan = accept(readNinjaCommands(paths, drivers))) {
    addMadeBinaries(*plan, paths);
    return *plan;
  }
  if (auto plan = accept(readFileApi(database, paths)))
    return *plan;
  return {{}, "none: all units form one program", std::move(notes)};
}

} // namespace retest
