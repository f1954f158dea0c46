#include "build/file_api_reply.h"

#include "build/paths.h"
#include "support/error.h"
#include "support/write_file.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace retest {
namespace {

llvm::Expected<llvm::json::Object> readObject(const std::string &path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return error("{}: cannot be read: {}", path, text.getError().message());
  auto json = llvm::json::parse((*text)->getBuffer());
  if (!json)
    return error("{}: not JSON: {}", path, llvm::toString(json.takeError()));
  if (llvm::json::Object *object = json->getAsObject())
    return std::move(*object);
  return error("{}: not an object", path);
}

/// The newest index: CMake puts the time into the name so that the last one is.
std::optional<std::string> newestIndex(llvm::StringRef reply) {
  std::optional<std::string> newest;
  std::error_code failure;
  for (llvm::sys::fs::directory_iterator entry(reply, failure), end; !failure && entry != end;
       entry.increment(failure))
    if (llvm::sys::path::filename(entry->path()).starts_with("index-"))
      newest = std::max(newest.value_or(""), entry->path());
  return newest;
}

/// The file of the codemodel, version 2, that an index names.
std::optional<std::string> codemodelFile(const llvm::json::Object &index) {
  if (const llvm::json::Array *objects = index.getArray("objects"))
    for (const llvm::json::Value &value : *objects) {
      const llvm::json::Object *object = value.getAsObject();
      if (!object || object->getString("kind") != "codemodel")
        continue;
      const llvm::json::Object *version = object->getObject("version");
      if (version && version->getInteger("major") == 2)
        if (auto file = object->getString("jsonFile"))
          return file->str();
    }
  return std::nullopt;
}

std::string queryPath(llvm::StringRef buildDirectory) {
  return joinPath(buildDirectory, ".cmake/api/v1/query/client-retest/codemodel-v2");
}

} // namespace

bool isAskedForReply(llvm::StringRef buildDirectory) {
  return llvm::sys::fs::exists(queryPath(buildDirectory));
}

llvm::Error askForReply(llvm::StringRef buildDirectory) {
  return writeFile(queryPath(buildDirectory), "");
}

std::optional<FileApiReply> newestReply(llvm::StringRef buildDirectory) {
  std::string reply = joinPath(buildDirectory, ".cmake/api/v1/reply");
  if (std::optional<std::string> index = newestIndex(reply))
    return FileApiReply{reply, *index};
  return std::nullopt;
}

llvm::Error visitTargets(const FileApiReply &reply,
                         llvm::function_ref<void(const FileApiTarget &)> visit) {
  auto index = readObject(reply.index);
  if (!index)
    return index.takeError();
  auto file = codemodelFile(*index);
  if (!file)
    return error("{}: names no codemodel of version 2", reply.index);
  auto model = readObject(joinPath(reply.directory, *file));
  if (!model)
    return model.takeError();
  std::string source;
  if (const llvm::json::Object *directories = model->getObject("paths"))
    source = directories->getString("source").value_or("").str();
  llvm::Error failures = llvm::Error::success();
  forEachIn(*model, "configurations", [&](const llvm::json::Object &configuration) {
    std::string name = configuration.getString("name").value_or("").str();
    forEachIn(configuration, "targets", [&](const llvm::json::Object &target) {
      auto details =
          readObject(joinPath(reply.directory, target.getString("jsonFile").value_or("")));
      if (details)
        visit({*details, name, source});
      else
        failures = llvm::joinErrors(std::move(failures), details.takeError());
    });
  });
  return failures;
}

} // namespace retest
