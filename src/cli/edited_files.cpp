#include "cli/edited_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MemoryBuffer.h>

#include <map>
#include <memory>

namespace retest {

namespace {

class EditedFiles {
public:
  EditedFiles(const BaselineIndex &index, const ProjectPaths &paths, FileStates &states)
      : index_(index), paths_(paths), states_(states), recorded_(recordedFiles(index)) {}

  std::vector<EditedPlace> ofUnit(llvm::StringRef name) {
    auto unit =
        llvm::lower_bound(index_.units, name, [](const StoredUnit &each, llvm::StringRef other) {
          return each.name < other;
        });
    std::vector<EditedPlace> places;
    if (unit == index_.units.end() || unit->name != name)
      return places;
    for (FileVersionId input : unit->files.inputs)
      if (input.value < index_.files.versions.size())
        if (PathId path = index_.files.versions[input.value].path; path.isValid())
          llvm::append_range(places, ofFile(index_.files.paths[path.value]));
    llvm::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  }

private:
  const std::vector<EditedPlace> &ofFile(const std::string &name) {
    auto [known, isNew] = places_.try_emplace(name);
    if (!isNew)
      return known->second;
    std::string path = paths_.pathOf(name);
    if (states_.current(path) == recorded_.contents.at(name))
      return known->second;
    std::optional<std::string> before = recordedText(recorded_, paths_, name);
    auto now = llvm::MemoryBuffer::getFile(path);
    if (before && now)
      known->second = editedPlaces(name, *before, (*now)->getBuffer());
    else
      known->second = {{name, {}, {}}};
    return known->second;
  }

  const BaselineIndex &index_;
  ProjectPaths paths_;
  FileStates &states_;
  RecordedFiles recorded_;
  std::map<std::string, std::vector<EditedPlace>> places_; ///< by file
};

} // namespace

RecordedFiles recordedFiles(const BaselineIndex &index) {
  RecordedFiles files{index.info.commit, {}};
  for (const StoredUnit &unit : index.units)
    for (FileVersionId input : unit.files.inputs) {
      if (input.value >= index.files.versions.size())
        continue;
      const FileVersion &version = index.files.versions[input.value];
      if (version.path.isValid())
        files.contents[index.files.paths[version.path.value]] = version.content;
    }
  return files;
}

EditedPlaces editedSince(const BaselineIndex &index, const ProjectPaths &paths,
                         FileStates &states) {
  auto files = std::make_shared<EditedFiles>(index, paths, states);
  return [files](llvm::StringRef unit) { return files->ofUnit(unit); };
}

} // namespace retest
