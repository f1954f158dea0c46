#include "build/meson_build.h"

#include "build/paths.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

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

/// Whether its first words are project(...), which Meson demands; comments may stand before.
bool isProjectFile(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return false;
  llvm::StringRef text = (*file)->getBuffer();
  while (true) {
    text = text.ltrim();
    if (!text.starts_with("#"))
      break;
    text = text.split('\n').second;
  }
  return text.consume_front("project") && text.ltrim(' ').starts_with("(");
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

std::optional<std::string> findMesonProject(llvm::StringRef start) {
  std::optional<std::string> found;
  for (llvm::StringRef level = start; !level.empty(); level = llvm::sys::path::parent_path(level))
    if (isProjectFile(joinPath(level, "meson.build")))
      found = level.str();
  return found;
}

} // namespace retest
