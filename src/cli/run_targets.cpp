#include "cli/run_targets.h"

#include "build/build_targets.h"
#include "build/build_tool_files.h"
#include "build/cmake_cache.h"
#include "build/made_files.h"
#include "build/paths.h"
#include "cli/build_files.h"
#include "support/error.h"

namespace retest {

namespace {

/// Longer command lines than these are no faster than building everything.
constexpr std::size_t kMostTargets = 1000;

TargetPlan all(std::string why) { return {true, std::move(why), {}, {}, {}}; }

std::set<std::string> binariesOf(const LinkPlan &links) {
  std::set<std::string> names;
  for (const Binary &binary : links.binaries)
    names.insert(binary.name);
  return names;
}

/// Files that the build may make and recorded tests used.
llvm::Expected<std::set<std::string>> dataInBuild(SelectionBasis &basis,
                                                  const std::set<std::string> &binaries) {
  llvm::Expected<std::vector<StoredFileUse>> uses = basis.coverage->files();
  if (!uses)
    return uses.takeError();
  BuiltFiles built(basis.paths);
  std::set<std::string> used;
  for (const StoredFileUse &each : *uses)
    if (const FileUse &use = each.use;
        !binaries.count(use.path) && built.mayContain(use.kind, use.path))
      used.insert(use.path);
  return used;
}

llvm::Expected<TargetPlan> plan(SelectionBasis &basis, const std::set<std::string> &binaries) {
  llvm::Expected<BuildTargets> targets = readBuildTargets(basis.paths);
  if (!targets)
    return targets.takeError();
  ChosenTargets chosen = targetsMaking(*targets, binaries);
  if (!chosen.unknown.empty())
    return error("no target makes {}", chosen.unknown.front());
  TargetPlan plan{false, "", std::move(chosen.names), std::move(chosen.files), {}};
  MadeFiles made = readMadeFiles(basis.paths.build);
  if (!made.mayHaveCommands())
    return plan; // then the build makes nothing else
  llvm::Expected<std::set<std::string>> data =
      dataInBuild(basis, binariesOf(basis.tree->links.get()));
  if (!data)
    return data.takeError();
  if (data->empty() || plan.names.empty()) // nobody who runs needs them
    return plan;
  for (const std::string &file : *data) {
    if (made.ninja.empty() || !made.contains(basis.paths.pathOf(file)))
      return error("it is not known what makes {}, which a test uses", file);
    plan.data.push_back(ninjaName(basis.paths.pathOf(file), basis.paths.build));
  }
  llvm::append_range(plan.names, plan.data);
  return plan;
}

} // namespace

TargetPlan planTargets(SelectionBasis &basis, const std::set<std::string> &binaries) {
  if (!basis.isComplete)
    return all("");
  if (!cmakeCacheEntry(basis.paths.build, "CMAKE_HOME_DIRECTORY"))
    return all("the build directory is not CMake's");
  llvm::Expected<TargetPlan> planned = plan(basis, binaries);
  if (!planned)
    return all(llvm::toString(planned.takeError()));
  llvm::sort(planned->names);
  planned->names.erase(std::unique(planned->names.begin(), planned->names.end()),
                       planned->names.end());
  if (planned->names.size() > kMostTargets)
    return all("there are so many targets");
  return std::move(*planned);
}

} // namespace retest
