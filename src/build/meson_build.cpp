#include "build/meson_build.h"

#include "build/paths.h"
#include "build/project_directory.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>

namespace retest {
namespace {

/// One of the files that `meson introspect` would print; null if it cannot be read.
llvm::json::Value readInfo(llvm::StringRef directory, llvm::StringRef name) {
  auto file = llvm::MemoryBuffer::getFile(joinPath(directory, "meson-info/" + name.str()));
  if (!file)
    return nullptr;
  auto json = llvm::json::parse((*file)->getBuffer());
  if (json)
    return std::move(*json);
  llvm::consumeError(json.takeError());
  return nullptr;
}

} // namespace

bool isMesonBuild(llvm::StringRef directory) {
  return llvm::sys::fs::exists(joinPath(directory, "meson-info/meson-info.json"));
}

std::optional<std::string> mesonSource(llvm::StringRef directory) {
  llvm::json::Value info = readInfo(directory, "meson-info.json");
  if (const llvm::json::Object *object = info.getAsObject())
    if (const llvm::json::Object *directories = object->getObject("directories"))
      if (auto source = directories->getString("source"))
        return source->str();
  return std::nullopt;
}

std::vector<std::string> mesonOption(llvm::StringRef directory, llvm::StringRef option) {
  std::vector<std::string> words;
  llvm::json::Value options = readInfo(directory, "intro-buildoptions.json");
  if (const llvm::json::Array *list = options.getAsArray())
    for (const llvm::json::Value &each : *list)
      if (const llvm::json::Object *object = each.getAsObject();
          object && object->getString("name") == option)
        if (const llvm::json::Array *value = object->getArray("value"))
          for (const llvm::json::Value &word : *value)
            words.push_back(word.getAsString().value_or("").str());
  return words;
}

std::optional<std::string> findMesonProject(llvm::StringRef start) {
  return outermostWith("meson.build", start);
}

} // namespace retest
