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

bool isOutsideOfMacros(const clang::ASTContext &unit, clang::SourceRange range,
                       const ProjectText &text) {
  const clang::SourceManager &sources = unit.getSourceManager();
  clang::CharSourceRange written = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(range), sources, unit.getLangOpts());
  return written.isValid() && sources.getFileID(written.getBegin()) == text.id &&
         sources.getFileOffset(written.getBegin()) == text.begin &&
         sources.getFileOffset(written.getEnd()) == text.end;
}

bool hasDirective(const clang::SourceManager &sources, const ProjectText &text) {
  llvm::SmallVector<llvm::StringRef> lines;
  sources.getBufferData(text.id).slice(text.begin, text.end).split(lines, '\n');
  return llvm::any_of(llvm::drop_begin(lines),
                      [](llvm::StringRef line) { return line.ltrim().starts_with("#"); });
}

} // namespace retest
