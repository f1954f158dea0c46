#pragma once

#include "build/project_paths.h"
#include "graph/source_position.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/DenseMap.h>

namespace retest {

/// Where things of one translation unit stand: in which file, and whether that file is the
/// project's. Macro expansions count as the place where the outermost macro is written.
class Places {
public:
  Places(const clang::SourceManager &sources, const ProjectPaths &paths, Names &names)
      : sources_(sources), paths_(paths), names_(names) {}

  bool isInProject(clang::SourceLocation location);
  /// Whether a file outside the project includes one of it.
  bool isProjectInsideExternal();
  /// In the project, but included as a system header: no coverage there.
  bool isInSystemHeader(clang::SourceLocation location) const {
    return sources_.isInSystemHeader(sources_.getExpansionLoc(location));
  }
  /// Written by `#x`, `a##b` or a builtin macro such as __LINE__: no file contains the token.
  bool isInScratchSpace(clang::SourceLocation location) const {
    return location.isMacroID() &&
           sources_.isWrittenInScratchSpace(sources_.getSpellingLoc(location));
  }

  SourcePosition position(clang::SourceLocation location);
  SourceRange range(clang::SourceRange range);

  const clang::SourceManager &sources() const { return sources_; }

private:
  struct File {
    NameId name;
    bool isProject = false;
  };
  const File &file(clang::FileID id);
  SourcePosition positionInFile(clang::SourceLocation location);
  /// Steps out of macro arguments until the location is in a file or in a macro's own text.
  clang::SourceLocation leaveArguments(clang::SourceLocation location) const;

  const clang::SourceManager &sources_;
  const ProjectPaths &paths_;
  Names &names_;
  llvm::DenseMap<clang::FileID, File> files_;
};

} // namespace retest
