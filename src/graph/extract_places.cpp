#include "graph/extract_places.h"

namespace retest {

const Places::File &Places::file(clang::FileID id) {
  auto [entry, isNew] = files_.try_emplace(id);
  if (!isNew)
    return entry->second;
  File file;
  if (clang::OptionalFileEntryRef ref = sources_.getFileEntryRefForID(id)) {
    llvm::StringRef real = ref->getFileEntry().tryGetRealPathName();
    llvm::StringRef path = real.empty() ? ref->getName() : real;
    file.isProject = paths_.contains(path);
    file.name = names_.intern(paths_.nameOf(path));
  }
  // The map may have moved, but not while nameOf ran: it knows nothing of us.
  return files_[id] = file;
}

bool Places::isInProject(clang::SourceLocation location) {
  return location.isValid() &&
         file(sources_.getFileID(sources_.getExpansionLoc(location))).isProject;
}

clang::SourceLocation Places::leaveArguments(clang::SourceLocation location) const {
  while (location.isMacroID() && sources_.isMacroArgExpansion(location))
    location = sources_.getImmediateSpellingLoc(location);
  return location;
}

SourcePosition Places::positionInFile(clang::SourceLocation location) {
  auto [id, offset] = sources_.getDecomposedLoc(location);
  NameId name = file(id).name;
  if (!name.isValid())
    return {};
  return {name, sources_.getLineNumber(id, offset), sources_.getColumnNumber(id, offset)};
}

bool Places::isProjectInsideExternal() {
  for (unsigned i = 0; i < sources_.local_sloc_entry_size(); ++i) {
    const clang::SrcMgr::SLocEntry &entry = sources_.getLocalSLocEntry(i);
    if (!entry.isFile() || entry.getFile().getIncludeLoc().isInvalid())
      continue;
    auto begin = clang::SourceLocation::getFromRawEncoding(entry.getOffset());
    if (isInProject(begin) && !isInProject(entry.getFile().getIncludeLoc()))
      return true;
  }
  return false;
}

SourcePosition Places::position(clang::SourceLocation location) {
  if (location.isInvalid())
    return {};
  location = leaveArguments(location);
  while (location.isMacroID())
    location = leaveArguments(sources_.getImmediateExpansionRange(location).getBegin());
  return positionInFile(location);
}

SourceRange Places::range(clang::SourceRange range) {
  return {position(range.getBegin()), position(range.getEnd())};
}

} // namespace retest
