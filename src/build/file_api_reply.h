#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <optional>
#include <string>

namespace retest {

/// What CMake's file API answered for a build directory.
struct FileApiReply {
  std::string directory; ///< of the reply
  std::string index;     ///< the file to begin with
};

/// Whether CMake has been asked to reply whenever it runs.
bool isAskedForReply(llvm::StringRef buildDirectory);
llvm::Error askForReply(llvm::StringRef buildDirectory);

/// The newest reply; nothing if there is none.
std::optional<FileApiReply> newestReply(llvm::StringRef buildDirectory);

struct FileApiTarget {
  const llvm::json::Object &target; ///< as "codemodel" of version 2 tells it
  llvm::StringRef configuration;
  llvm::StringRef sourceDirectory; ///< the top one
};

/// Shows all targets. What cannot be read is an error in the end; the others are shown all the
/// same.
llvm::Error visitTargets(const FileApiReply &reply,
                         llvm::function_ref<void(const FileApiTarget &)> visit);

/// The objects in the list that a key names.
template <class Visit>
void forEachIn(const llvm::json::Object &object, llvm::StringRef key, Visit visit) {
  if (const llvm::json::Array *list = object.getArray(key))
    for (const llvm::json::Value &value : *list)
      if (const llvm::json::Object *item = value.getAsObject())
        visit(*item);
}

} // namespace retest
