#include "cli/built_units.h"

#include "support/error.h"
#include "support/file_state.h"

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

  llvm::Error check(const std::string &made, const std::string &from) {
    std::int64_t time = of(made);
    if (time != 0 && time >= of(from))
      return llvm::Error::success();
    return error(ErrorKind::Usage, "{} is {} {}; build the project first (--no-build does not)",
                 paths_.nameOf(made), time == 0 ? "not built from" : "older than",
                 paths_.nameOf(from));
  }

private:
  const ProjectPaths &paths_;
  llvm::StringMap<std::int64_t> times_;
};

} // namespace

llvm::Error checkBuilt(const Tree &tree, const LinkPlan &links) {
  BuildTimes times(tree.paths);
  llvm::StringMap<std::string> objects; // by unit
  for (const Unit &unit : tree.database.units)
    objects[unit.name] = unit.command.object;
  auto checkUnit = [&](const std::string &name, auto inputs) -> llvm::Error {
    std::string object = objects.lookup(name);
    if (object.empty())
      return llvm::Error::success(); // its command does not say what it makes
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
  for (const Binary &binary : links.binaries)
    for (const LinkInput &input : binary.inputs) {
      if (input.kind == LinkInput::Kind::Archive)
        if (llvm::Error old =
                times.check(tree.paths.pathOf(binary.name), tree.paths.pathOf(input.name)))
          return old;
      if (input.kind == LinkInput::Kind::Unit && !objects.lookup(input.name).empty())
        if (llvm::Error old =
                times.check(tree.paths.pathOf(binary.name), objects.lookup(input.name)))
          return old;
    }
  return llvm::Error::success();
}

} // namespace retest
