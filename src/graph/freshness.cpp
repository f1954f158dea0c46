#include "graph/freshness.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

Freshness::Freshness(const FileTable &table, FileStates &files,
                     std::function<std::string(llvm::StringRef)> pathOf)
    : table_(table), files_(files), pathOf_(std::move(pathOf)),
      unchanged_(table.versions.size(), Answer::Unknown),
      missing_(table.paths.size(), Answer::Unknown) {}

bool Freshness::isUpToDate(const UnitFiles &unit) {
  return llvm::all_of(unit.inputs, [&](FileVersionId input) { return isUnchanged(input); }) &&
         llvm::all_of(unit.missed, [&](PathId path) { return isMissing(path); });
}

bool Freshness::isUnchanged(FileVersionId version) {
  if (version.value >= unchanged_.size())
    return false;
  Answer &answer = unchanged_[version.value];
  if (answer == Answer::Unknown) {
    const FileVersion &file = table_.versions[version.value];
    bool isSame = file.path.value < table_.paths.size() &&
                  files_.current(pathOf_(table_.paths[file.path.value])) == file.content;
    answer = isSame ? Answer::Yes : Answer::No;
  }
  return answer == Answer::Yes;
}

bool Freshness::isMissing(PathId path) {
  if (path.value >= missing_.size())
    return false;
  Answer &answer = missing_[path.value];
  if (answer == Answer::Unknown) {
    llvm::StringRef name = table_.paths[path.value];
    bool isDirectory = name.consume_back("/");
    std::string place = pathOf_(name) + (isDirectory ? "/" : "");
    answer = files_.isMissing(place) ? Answer::Yes : Answer::No;
  }
  return answer == Answer::Yes;
}

} // namespace retest
