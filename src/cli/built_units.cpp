#include "cli/built_units.h"

#include "build/build_tool_files.h"
#include "build/link_sources.h"
#include "build/ninja_dry_run.h"
#include "build/paths.h"
#include "support/error.h"
#include "support/file_state.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

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
    constexpr llvm::StringLiteral kTargets = "/CMakeFiles/", kEnd = ".dir/";
    // Other directories may be called so as well, above the build directory and below the target's.
    std::size_t begin =
        object.find(kTargets, isWithin(object, paths_.build) ? paths_.build.size() : 0);
    std::size_t end = object.find(kEnd, begin);
    if (begin == llvm::StringRef::npos || end == llvm::StringRef::npos)
      return llvm::Error::success();
    std::string flags = object.take_front(end + kEnd.size()).str() + "flags.make";
    return llvm::sys::fs::exists(flags) ? check(object.str(), flags) : llvm::Error::success();
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

/// A file that has to be older than the binary that it is linked into; empty: none is known.
std::string linkedFile(const LinkInput &input, const llvm::StringMap<std::string> &objects,
                       const ProjectPaths &paths) {
  switch (input.kind) {
  case LinkInput::Kind::Unit:
    return objects.lookup(input.name);
  case LinkInput::Kind::Archive:
    return paths.pathOf(input.name);
  case LinkInput::Kind::Object:
    return input.command ? input.command->object : paths.pathOf(input.name);
  case LinkInput::Kind::External: // "/usr/lib/libz.a"; a shared one is found when the program runs
    return input.name.starts_with("/") && !llvm::StringRef(input.name).contains(".so") ? input.name
                                                                                       : "";
  case LinkInput::Kind::SharedLibrary:
    return "";
  }
  return "";
}

llvm::Error checkLinked(const Binary &binary, const LinkInput &input,
                        const llvm::StringMap<std::string> &objects, const ProjectPaths &paths,
                        BuildTimes &times) {
  std::string file = linkedFile(input, objects, paths);
  if (file.empty())
    return llvm::Error::success();
  if (input.command && !llvm::sys::fs::exists(file)) // a command may have removed it again
    file = paths.pathOf(binary.name);
  if (input.command)
    if (llvm::Error old = times.check(file, input.command->file))
      return old;
  if (llvm::Error old = times.check(paths.pathOf(binary.name), file))
    return old;
  return input.kind == LinkInput::Kind::Unit || input.command ? times.checkFlags(file)
                                                              : llvm::Error::success();
}

/// With make: the script that links the binary, and the makefile by which make itself links anew
/// (the script may name its objects in another file).
llvm::Error checkScript(const std::string &path, const llvm::StringMap<std::string> &scripts,
                        const ProjectPaths &paths, BuildTimes &times) {
  if (scripts.empty())
    return llvm::Error::success();
  auto script = scripts.find(withRealParent(path));
  if (script == scripts.end())
    return error(ErrorKind::Usage,
                 "{}: no link script of the build makes it, so it may be older than that; build "
                 "the project first (--no-build does not)",
                 paths.nameOf(path));
  if (llvm::Error old = times.check(path, script->second))
    return old;
  std::string makefile = (llvm::sys::path::parent_path(script->second) + "/build.make").str();
  return llvm::sys::fs::exists(makefile) ? times.check(path, makefile) : llvm::Error::success();
}

/// The objects of units, and what those were read from.
class UnitCheck {
public:
  UnitCheck(const Tree &tree, const LinkPlan &links, llvm::ArrayRef<const Binary *> built)
      : tree_(tree), times_(tree.paths), linked_(unitsOf(built)),
        placed_(unitsOf(allBinaries(links))) {
    for (const Unit &unit : tree.database.units)
      objects_[unit.name] = unit.command.object;
  }

  llvm::Error checkUnits() {
    const FileTable &files = tree_.cache.files();
    for (const StoredUnit *unit : tree_.unchanged) {
      std::vector<std::string> inputs;
      for (FileVersionId input : unit->files.inputs)
        if (input.value < files.versions.size())
          inputs.push_back(files.paths[files.versions[input.value].path.value]);
      if (llvm::Error old = checkUnit(unit->name, inputs))
        return old;
    }
    for (const ExtractedUnit &unit : tree_.parsed) {
      std::vector<std::string> inputs;
      for (const FileInput &input : unit.record.inputs)
        inputs.push_back(input.path);
      if (llvm::Error old = checkUnit(unit.record.name, inputs))
        return old;
    }
    return llvm::Error::success();
  }

  const llvm::StringMap<std::string> &objects() const { return objects_; }
  BuildTimes &times() { return times_; }

private:
  /// It is part of what is not built, or was never compiled and is part of nothing.
  bool isLeftOut(const std::string &unit, const std::string &object) const {
    return placed_.contains(unit) ? !linked_.contains(unit) : !llvm::sys::fs::exists(object);
  }

  llvm::Error checkUnit(const std::string &name, const std::vector<std::string> &inputs) {
    std::string object = objects_.lookup(name);
    if (object.empty() || isLeftOut(name, object))
      return llvm::Error::success(); // its command does not say what it makes, or nobody runs it
    for (const std::string &input : inputs)
      if (llvm::Error old = times_.check(object, tree_.paths.pathOf(input)))
        return old;
    return llvm::Error::success();
  }

  const Tree &tree_;
  BuildTimes times_;
  llvm::StringSet<> linked_, placed_;
  llvm::StringMap<std::string> objects_; ///< by unit
};

} // namespace

llvm::Error checkBuilt(const Tree &tree, const LinkPlan &links) {
  const std::vector<const Binary *> built = builtBinaries(tree.paths, links);
  if (buildToolOf(tree.paths.build) == BuildTool::Ninja)
    if (llvm::Error old = checkByNinja(tree.paths, built))
      return old;
  UnitCheck units(tree, links, built);
  if (llvm::Error old = units.checkUnits())
    return old;
  const llvm::StringMap<std::string> scripts =
      linkScriptsByOutput(tree.paths.build, compilersOf(tree.database));
  for (const Binary *binary : built) {
    if (llvm::Error old =
            checkScript(tree.paths.pathOf(binary->name), scripts, tree.paths, units.times()))
      return old;
    for (const LinkInput &input : binary->inputs)
      if (llvm::Error old = checkLinked(*binary, input, units.objects(), tree.paths, units.times()))
        return old;
  }
  return llvm::Error::success();
}

} // namespace retest
