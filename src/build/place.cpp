#include "build/place.h"
#include "build/paths.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace retest {
namespace {

bool isPathCharacter(char c) {
  return llvm::isAlnum(c) || llvm::StringRef("_.-+~@%").contains(c) ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Whether the path at `position` starts there, and is not the tail of a longer one:
/// in "-I/src" it does, in "-I/usr/src" it does not.
bool startsPath(llvm::StringRef text, size_t position) {
  llvm::StringRef before = text.take_front(position);
  while (!before.empty() && isPathCharacter(before.back()))
    before = before.drop_back();
  return !before.ends_with("/");
}

bool endsComponent(llvm::StringRef rest) { return rest.empty() || !isPathCharacter(rest.front()); }

std::string replaceAll(llvm::StringRef text, const Place &place) {
  std::string result;
  size_t done = 0;
  for (size_t found = text.find(place.directory); found != llvm::StringRef::npos;
       found = text.find(place.directory, done)) {
    size_t end = found + place.directory.size();
    bool isPlace = startsPath(text, found) && endsComponent(text.drop_front(end));
    result += text.slice(done, found);
    result += isPlace ? llvm::StringRef(place.holder) : text.slice(found, end);
    done = end;
  }
  result += text.drop_front(done);
  return result;
}

/// The spelling of root or build directory that `path` starts with, if it is not the real one.
void addSpelling(std::vector<Place> &places, const ProjectPaths &paths, llvm::StringRef path) {
  std::string name = paths.nameOf(path);
  if (name.front() == '/' || paths.pathOf(name) == path)
    return;
  llvm::StringRef below = name;
  bool isBuild = isWithin(below, "<build>");
  if (isBuild)
    below = partBelow(below, "<build>");
  else if (below == ".")
    below = "";
  if (!path.consume_back(below))
    return;
  path = path.rtrim('/');
  if (!path.empty())
    places.push_back({path.str(), isBuild ? "<build>" : "<root>"});
}

} // namespace

std::vector<Place> placesOf(const ProjectPaths &paths, llvm::ArrayRef<llvm::StringRef> examples) {
  std::vector<Place> places;
  if (paths.root != "/")
    places.push_back({paths.root, "<root>"});
  if (paths.build != paths.root)
    places.push_back({paths.build, "<build>"});
  for (llvm::StringRef example : examples)
    addSpelling(places, paths, example);
  // Longest first: of root and build directory, one may hold the other.
  llvm::sort(places, [](const Place &a, const Place &b) {
    return std::pair(b.directory.size(), a) < std::pair(a.directory.size(), b);
  });
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::string withoutPlaces(llvm::StringRef text, llvm::ArrayRef<Place> places) {
  std::string result = text.str();
  for (const Place &place : places)
    result = replaceAll(result, place);
  return result;
}

} // namespace retest
