#include "build/presets.h"
#include "build/paths.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <cstdlib>
#include <map>
#include <optional>

namespace retest {
namespace {

struct Preset {
  std::string name;
  bool isHidden = false;
  std::string binaryDir; ///< as written; empty: inherited
  std::string generator;
  std::vector<std::string> inherits;
};

std::vector<std::string> stringsOf(const llvm::json::Value *value) {
  std::vector<std::string> result;
  if (!value)
    return result;
  if (auto text = value->getAsString())
    result.push_back(text->str());
  if (const llvm::json::Array *list = value->getAsArray())
    for (const llvm::json::Value &item : *list)
      if (auto text = item.getAsString())
        result.push_back(text->str());
  return result;
}

Preset presetOf(const llvm::json::Object &object) {
  Preset preset;
  preset.name = object.getString("name").value_or("").str();
  preset.isHidden = object.getBoolean("hidden").value_or(false);
  preset.binaryDir = object.getString("binaryDir").value_or("").str();
  preset.generator = object.getString("generator").value_or("").str();
  preset.inherits = stringsOf(object.get("inherits"));
  return preset;
}

/// Collects the configure presets of a file after those of the files that it includes.
void readPresets(const std::string &path, llvm::StringSet<> &seen, std::vector<Preset> &presets) {
  if (!seen.insert(path).second)
    return;
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return;
  auto json = llvm::json::parse((*text)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    return;
  }
  const llvm::json::Object *file = json->getAsObject();
  if (!file)
    return;
  for (const std::string &included : stringsOf(file->get("include")))
    readPresets(absolutePath(llvm::sys::path::parent_path(path), included), seen, presets);
  if (const llvm::json::Array *list = file->getArray("configurePresets"))
    for (const llvm::json::Value &value : *list)
      if (const llvm::json::Object *object = value.getAsObject())
        presets.push_back(presetOf(*object));
}

/// A field of the preset or of the first base that has it.
std::string inherited(const std::map<std::string, Preset> &presets, const Preset &preset,
                      std::string Preset::*field, int depth = 0) {
  if (!(preset.*field).empty() || depth > 32)
    return preset.*field;
  for (const std::string &base : preset.inherits)
    if (auto found = presets.find(base); found != presets.end())
      if (std::string value = inherited(presets, found->second, field, depth + 1); !value.empty())
        return value;
  return "";
}

/// The value of a macro: `name` is "sourceDir", "env{HOME}", ...
std::optional<std::string> macroValue(llvm::StringRef name, llvm::StringRef sourceDirectory,
                                      llvm::StringRef preset, llvm::StringRef generator) {
  if (name == "{sourceDir}")
    return sourceDirectory.str();
  if (name == "{sourceParentDir}")
    return llvm::sys::path::parent_path(sourceDirectory).str();
  if (name == "{sourceDirName}")
    return llvm::sys::path::filename(sourceDirectory).str();
  if (name == "{presetName}")
    return preset.str();
  if (name == "{generator}")
    return generator.str();
  if (name == "{hostSystemName}")
    return "Linux";
  if (name == "{dollar}")
    return "$";
  if (name.consume_front("env{") || name.consume_front("penv{"))
    if (const char *value = std::getenv(name.drop_back().str().c_str()))
      return value;
  return std::nullopt;
}

/// Empty if the text contains a macro without a value.
std::string expandMacros(llvm::StringRef text, llvm::StringRef sourceDirectory,
                         llvm::StringRef preset, llvm::StringRef generator) {
  std::string result;
  while (!text.empty()) {
    auto [plain, rest] = text.split('$');
    result += plain;
    size_t end = rest.find('}');
    if (rest.empty() || end == llvm::StringRef::npos)
      return result;
    auto value = macroValue(rest.take_front(end + 1), sourceDirectory, preset, generator);
    if (!value)
      return "";
    result += *value;
    text = rest.drop_front(end + 1);
  }
  return result;
}

} // namespace

std::vector<std::string> presetBuildDirectories(llvm::StringRef sourceDirectory) {
  llvm::StringSet<> seen;
  std::vector<Preset> presets;
  for (const char *file : {"CMakePresets.json", "CMakeUserPresets.json"})
    readPresets(joinPath(sourceDirectory, file), seen, presets);
  std::map<std::string, Preset> byName;
  for (const Preset &preset : presets)
    byName.emplace(preset.name, preset);

  std::vector<std::string> directories;
  for (const Preset &preset : presets) {
    if (preset.isHidden)
      continue;
    std::string directory =
        expandMacros(inherited(byName, preset, &Preset::binaryDir), sourceDirectory, preset.name,
                     inherited(byName, preset, &Preset::generator));
    if (!directory.empty())
      directories.push_back(absolutePath(sourceDirectory, directory));
  }
  return directories;
}

} // namespace retest
