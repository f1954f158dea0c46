#include "cli/counted_units.h"

#include "run/preload/protocol.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

#include <set>

namespace retest {
namespace {

/// The arguments by which Clang leaves out counters of some functions, or that may hold such.
std::vector<std::string> exceptionsOf(const Unit &unit) {
  std::vector<std::string> arguments;
  for (llvm::StringRef argument : unit.command.arguments)
    if (argument.starts_with("-fprofile-list=") ||
        argument.starts_with("-fprofile-function-groups=") ||
        argument.starts_with("-fprofile-selected-function-group=") ||
        argument.starts_with("--config"))
      arguments.push_back(argument.str());
  return arguments;
}

bool isCountedByClang(const Unit &unit) {
  bool counts = false, maps = false;
  for (llvm::StringRef argument : unit.command.arguments) {
    counts |= argument.starts_with("-fprofile-instr-generate");
    maps |= argument == "-fcoverage-mapping";
    counts &= argument != "-fno-profile-instr-generate";
    maps &= argument != "-fno-coverage-mapping";
  }
  return counts && maps;
}

} // namespace

bool isCountedByGcc(const Unit &unit) {
  bool counts = false, isRegistered = false, isOptimised = false, isMerged = false;
  for (llvm::StringRef argument : unit.command.arguments) {
    counts |= argument == "--coverage" || argument == "-coverage";
    counts &= argument != "-fno-profile-arcs" && argument != "-fno-test-coverage";
    isRegistered |= argument == std::string("-fprofile-info-section=") + preload::kGccTables;
    if (argument.starts_with("-O"))
      isOptimised = argument != "-O0";
    isMerged |= argument.starts_with("-flto");
    isMerged &= argument != "-fno-lto";
  }
  return counts && isRegistered && !isOptimised && !isMerged;
}

bool mayLoseCounts(const Unit &unit) {
  bool isOptimised = false;
  for (llvm::StringRef argument : unit.command.arguments)
    if (argument.starts_with("-O"))
      isOptimised = argument != "-O0";
  return isOptimised && isCountedByClang(unit);
}

std::vector<bool> countedUnits(const Tree &tree, const Project &project, const Names &names) {
  // If units differ in that, a function that has counters in one may have none in another.
  std::set<std::vector<std::string>> exceptions;
  for (const Unit &unit : tree.database.units)
    if (isCountedByClang(unit))
      exceptions.insert(exceptionsOf(unit));
  llvm::StringSet<> counted;
  for (const Unit &unit : tree.database.units)
    if (isCountedByGcc(unit) ||
        (isCountedByClang(unit) && (exceptions.size() == 1 || exceptionsOf(unit).empty())))
      counted.insert(unit.name);
  std::vector<bool> result;
  for (const ProjectUnit &unit : project.units)
    result.push_back(counted.contains(names.text(unit.name)));
  return result;
}

std::vector<std::string> objectsOf(const Tree &tree, const Project &project, const Names &names) {
  llvm::StringMap<std::string> objects;
  for (const Unit &unit : tree.database.units)
    objects[unit.name] = unit.command.object;
  std::vector<std::string> result;
  for (const ProjectUnit &unit : project.units)
    result.push_back(objects.lookup(names.text(unit.name)));
  return result;
}

} // namespace retest
