#pragma once

#include "build/project_paths.h"

#include <llvm/ADT/ArrayRef.h>

#include <string>
#include <vector>

namespace retest {

/// A directory as commands spell it, and what stands for it: "/srv/me/app" -> "<root>".
struct Place {
  std::string directory;
  std::string holder;

  auto operator<=>(const Place &) const = default;
};

/// Root and build directory with their real spelling, and with the spelling that `examples` (paths
/// inside the project, as a command writes them) use for them: a checkout reached through a link.
std::vector<Place> placesOf(const ProjectPaths &paths, llvm::ArrayRef<llvm::StringRef> examples);

/// `text` with each place replaced wherever a path begins with it:
/// "-DDATA=\"/srv/me/app/data\"" becomes "-DDATA=\"<root>/data\"".
std::string withoutPlaces(llvm::StringRef text, llvm::ArrayRef<Place> places);

} // namespace retest
