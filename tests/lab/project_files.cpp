#include "tests/lab/project_files.h"

#include <clang/Lex/Lexer.h>

namespace retest {

std::optional<ProjectText> ProjectFiles::text(const clang::SourceManager &sources,
                                              clang::SourceRange range) const {
  if (range.isInvalid())
    return std::nullopt;
  clang::CharSourceRange written = sources.getExpansionRange(range);
  clang::SourceLocation last = written.getEnd();
  clang::FileID id = sources.getFileID(written.getBegin());
  clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(id);
  if (!entry || id != sources.getFileID(last))
    return std::nullopt;
  llvm::StringRef file = entry->getFileEntry().tryGetRealPathName();
  if (file.starts_with(build + "/") || !file.consume_front(root + "/"))
    return std::nullopt;
  unsigned length = clang::Lexer::MeasureTokenLength(last, sources, {});
  return ProjectText{file.str(), id, sources.getFileOffset(written.getBegin()),
                     sources.getFileOffset(last) + length};
}

} // namespace retest
