#include "build/cmake_cache.h"
#include "build/command_line.h"
#include "build/file_api_reply.h"
#include "build/link_sources.h"
#include "build/paths.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <map>

namespace retest {
namespace {

std::optional<BinaryKind> kindOf(llvm::StringRef type) {
  if (type == "EXECUTABLE")
    return BinaryKind::Executable;
  if (type == "STATIC_LIBRARY")
    return BinaryKind::Archive;
  if (type == "SHARED_LIBRARY")
    return BinaryKind::SharedLibrary;
  if (type == "MODULE_LIBRARY")
    return BinaryKind::Module;
  return std::nullopt; // object and interface libraries, custom targets
}

/// Turns the targets of one reply into link commands.
class Reader {
public:
  Reader(const CompileDatabase &database, const ProjectPaths &paths) : paths_(paths) {
    auto add = [&](const CompileCommand &command) {
      if (!command.object.empty())
        objects_[paths.nameOf(command.file)].push_back(command.object);
    };
    for (const Unit &unit : database.units)
      add(unit.command);
    llvm::for_each(database.others, add);
    isNinja_ = llvm::StringRef(cmakeCacheEntry(paths.build, "CMAKE_GENERATOR").value_or(""))
                   .starts_with("Ninja");
  }

  LinkLines read(const FileApiReply &reply) {
    result_.source = "CMake file API";
    auto add = [this](const FileApiTarget &target) {
      sourceDirectory_ = target.sourceDirectory;
      addTarget(target.target, target.configuration);
    };
    if (llvm::Error failure = visitTargets(reply, add))
      result_.notes.push_back(llvm::toString(std::move(failure)));
    for (LinkCommand &link : result_.links)
      nameByFile(link);
    return std::move(result_);
  }

private:
  void addTarget(const llvm::json::Object &target, llvm::StringRef configuration) {
    auto kind = kindOf(target.getString("type").value_or(""));
    if (!kind)
      return;
    std::string name = target.getString("name").value_or("").str();
    std::string directory = paths_.build;
    if (const llvm::json::Object *directories = target.getObject("paths"))
      directory = absolutePath(directory, directories->getString("build").value_or("."));
    // Fragments are written for the build tool: ninja runs at the top, make in each directory.
    LinkCommand link = libraries(target, isNinja_ ? paths_.build : directory);
    link.kind = *kind;
    forEachIn(target, "artifacts", [&](const llvm::json::Object &artifact) {
      if (link.output.empty())
        link.output = absolutePath(paths_.build, artifact.getString("path").value_or(""));
    });
    std::string objects = joinPath(directory, "CMakeFiles/" + name + ".dir");
    std::vector<LinkWord> inputs;
    forEachIn(target, "sources", [&](const llvm::json::Object &source) {
      if (auto object = objectOf(source, name, objects, configuration))
        inputs.push_back({LinkWord::Kind::File, *object});
    });
    link.inputs.insert(link.inputs.begin(), inputs.begin(), inputs.end());
    result_.links.push_back(std::move(link));
  }

  /// The reply calls a library libx.so even if the file is libx.so.1.2 and libx.so a link to it.
  /// The file is known once it is built, or from the targets that link with it.
  void nameByFile(LinkCommand &library) {
    std::string file = library.output;
    if (llvm::sys::fs::is_symlink_file(file))
      file = realPath(file);
    else if (llvm::StringRef(file).ends_with(".so"))
      for (const LinkCommand &link : result_.links)
        for (const LinkWord &word : link.inputs)
          if (llvm::StringRef(word.text).starts_with(library.output + "."))
            file = word.text;
    if (file == library.output)
      return;
    result_.aliases.push_back({library.output, file});
    library.output = file;
  }

  /// The libraries and flags in the fragments of the target's link command.
  LinkCommand libraries(const llvm::json::Object &target, llvm::StringRef directory) {
    std::vector<std::string> words = {"c++"};
    if (const llvm::json::Object *link = target.getObject("link"))
      forEachIn(*link, "commandFragments", [&](const llvm::json::Object &fragment) {
        llvm::append_range(words, splitCommand(fragment.getString("fragment").value_or("")));
      });
    return parseDriverLink(words, directory);
  }

  /// The object that a source of the target adds to its link, if it adds one.
  std::optional<std::string> objectOf(const llvm::json::Object &source, const std::string &target,
                                      const std::string &objects, llvm::StringRef configuration) {
    std::string path = absolutePath(sourceDirectory_, source.getString("path").value_or(""));
    llvm::StringRef ending = llvm::sys::path::extension(path);
    if (ending == ".o" || ending == ".obj") // from an object library, or prebuilt
      return path;
    if (!source.get("compileGroupIndex") || path.find("/cmake_pch.") != std::string::npos)
      return std::nullopt;
    auto compiled = objects_.find(paths_.nameOf(path));
    if (compiled != objects_.end())
      for (const std::string &within : {joinPath(objects, configuration), objects})
        for (const std::string &object : compiled->second)
          if (isWithin(object, within))
            return object;
    result_.notes.push_back(
        fmt::format("{}: no command compiles {} for it", target, paths_.nameOf(path)));
    return std::nullopt;
  }

  const ProjectPaths &paths_;
  bool isNinja_ = false;
  std::string sourceDirectory_;
  std::map<std::string, std::vector<std::string>> objects_; ///< by name of the source
  LinkLines result_;
};

} // namespace

std::optional<LinkLines> readFileApi(const CompileDatabase &database, const ProjectPaths &paths) {
  std::optional<FileApiReply> reply = newestReply(paths.build);
  if (!reply)
    return std::nullopt;
  return Reader(database, paths).read(*reply);
}

} // namespace retest
