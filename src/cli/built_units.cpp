#include "cli/built_units.h"

#include "build/build_tool_files.h"
#include "build/ninja_dry_run.h"
#include "build/paths.h"
#include "support/error.h"
#include "support/file_state.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>

namespace retest {

namespace {

class BuildTimes {
public:
  explicit BuildTimes(const ProjectPaths &paths) : paths_(paths) {}

  /// When a file was written; 0 if it is not there.
  std::int64_t of(const std::string &path) {
    auto [known, isNew] = times_.try_emplace(path, 0);
    if (isNew)
      if (std::optional<FileStamp> stamp = stampOf(path))
        known->second = stamp->modified;
    return known->second;
  }

  /// The flags, for make: CMake writes them to a file beside the objects of each target.
  llvm::Error checkFlags(llvm::StringRef object) {
    return checkWritten(object.str(), object, "flags.make");
  }
  llvm::Error checkLink(const std::string &binary, llvm::StringRef object) {
    return checkWritten(binary, object, "link.txt");
  }

  llvm::Error check(const std::string &made, const std::string &from) {
    std::int64_t time = of(made);
    if (time != 0 && time >= of(from))
      return llvm::Error::success();
    return error(ErrorKind::Usage, "{} is {} {}; build it, or remove it if no test needs it",
                 paths_.nameOf(made), time == 0 ? "not built from" : "older than",
                 paths_.nameOf(from));
  }

private:
  /// That what is made is newer than the file that CMake wrote for the target of the object.
  llvm::Error checkWritten(const std::string &made, llvm::StringRef object, const char *name) {
    constexpr llvm::StringLiteral kEnd = ".dir/";
    std::size_t end = object.find(kEnd);
    if (end == llvm::StringRef::npos)
      return llvm::Error::success();
    std::string written = object.take_front(end + kEnd.size()).str() + name;
    return llvm::sys::fs::exists(written) ? check(made, written) : llvm::Error::success();
  }

  const ProjectPaths &paths_;
  llvm::StringMap<std::int64_t> times_;
};

/// Those that are there: no test runs others.
std::vector<const Binary *> builtBinaries(const ProjectPaths &paths, const LinkPlan &links) {
  std::vector<const Binary *> built;
  for (const Binary &binary : links.binaries)
    if (llvm::sys::fs::exists(paths.pathOf(binary.name)))
      built.push_back(&binary);
  return built;
}

std::vector<const Binary *> allBinaries(const LinkPlan &links) {
  std::vector<const Binary *> all;
  for (const Binary &binary : links.binaries)
    all.push_back(&binary);
  return all;
}

/// Units that are linked into these.
llvm::StringSet<> unitsOf(llvm::ArrayRef<const Binary *> binaries) {
  llvm::StringSet<> units;
  for (const Binary *binary : binaries)
    for (const LinkInput &input : binary->inputs)
      if (input.kind == LinkInput::Kind::Unit)
        units.insert(input.name);
  return units;
}

/// What ninja itself says: it knows flags, and all languages.
llvm::Error checkByNinja(const ProjectPaths &paths, llvm::ArrayRef<const Binary *> built) {
  std::vector<std::string> files;
  std::string ninja = ninjaProgram(paths.build);
  llvm::StringMap<std::string> known = ninjaTargets(ninja, paths.build);
  for (const Binary *binary : built) // a command may link as well, without telling
    if (auto name = known.find(withRealParent(paths.pathOf(binary->name))); name != known.end())
      files.push_back(name->second);
  if (files.empty() && !known.empty())
    return llvm::Error::success();
  std::string why = whyOutdated(ninja, paths.build, files);
  if (why.empty())
    return llvm::Error::success();
  return error(ErrorKind::Usage,
               "{} is not up to date: {}; build the project first (--no-build "
               "does not)",
               paths.build, why);
}

/// A unit, or an object of another language, that is linked into a binary.
llvm::Error checkLinked(const Binary &binary, const std::string &object, const ProjectPaths &paths,
                        BuildTimes &times) {
  if (llvm::Error old = times.check(paths.pathOf(binary.name), object))
    return old;
  if (llvm::Error old = times.checkFlags(object))
    return old;
  return times.checkLink(paths.pathOf(binary.name), object);
}

} // namespace

llvm::Error checkBuilt(const Tree &tree, const LinkPlan &links) {
  const std::vector<const Binary *> built = builtBinaries(tree.paths, links);
  const llvm::StringSet<> linked = unitsOf(built), placed = unitsOf(allBinaries(links));
  // It is part of what is not built, or was never compiled and is part of nothing.
  auto isLeftOut = [&](const std::string &unit, const std::string &object) {
    return placed.contains(unit) ? !linked.contains(unit) : !llvm::sys::fs::exists(object);
  };
  if (buildToolOf(tree.paths.build) == BuildTool::Ninja)
    if (llvm::Error old = checkByNinja(tree.paths, built))
      return old;
  BuildTimes times(tree.paths);
  llvm::StringMap<std::string> objects; // by unit
  for (const Unit &unit : tree.database.units)
    objects[unit.name] = unit.command.object;
  auto checkUnit = [&](const std::string &name, auto inputs) -> llvm::Error {
    std::string object = objects.lookup(name);
    if (object.empty() || isLeftOut(name, object))
      return llvm::Error::success(); // its command does not say what it makes, or nobody runs it
    for (const std::string &input : inputs)
      if (llvm::Error old = times.check(object, tree.paths.pathOf(input)))
        return old;
    return llvm::Error::success();
  };
  const FileTable &files = tree.cache.files();
  for (const StoredUnit *unit : tree.unchanged) {
    std::vector<std::string> inputs;
    for (FileVersionId input : unit->files.inputs)
      if (input.value < files.versions.size())
        inputs.push_back(files.paths[files.versions[input.value].path.value]);
    if (llvm::Error old = checkUnit(unit->name, inputs))
      return old;
  }
  for (const ExtractedUnit &unit : tree.parsed) {
    std::vector<std::string> inputs;
    for (const FileInput &input : unit.record.inputs)
      inputs.push_back(input.path);
    if (llvm::Error old = checkUnit(unit.record.name, inputs))
      return old;
  }
  for (const Binary *binary : built)
    for (const LinkInput &input : binary->inputs) {
      std::string object;
      if (input.kind == LinkInput::Kind::Archive) {
        if (llvm::Error old =
                times.check(tree.paths.pathOf(binary->name), tree.paths.pathOf(input.name)))
          return old;
      } else if (input.kind == LinkInput::Kind::Unit) {
        object = objects.lookup(input.name);
      } else if (input.kind == LinkInput::Kind::Object && input.command) {
        object = input.command->object;
        if (!object.empty())
          if (llvm::Error old = times.check(object, input.command->file))
            return old;
      }
      if (!object.empty())
        if (llvm::Error old = checkLinked(*binary, object, tree.paths, times))
          return old;
    }
  return llvm::Error::success();
}

} // namespace retest
