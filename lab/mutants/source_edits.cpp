#include "lab/mutants/source_edits.h"

namespace retest {

using namespace clang;

std::optional<ProjectText> SourceEdits::writtenText(SourceRange range) const {
  auto text = files_.project.text(sources_, range);
  if (!text || !files_.contains(text->file) || !isOutsideOfMacros(unit_, range, *text) ||
      hasDirective(sources_, *text))
    return std::nullopt;
  return text;
}

llvm::StringRef SourceEdits::textOf(const ProjectText &text) const {
  return sources_.getBufferData(text.id).slice(text.begin, text.end);
}

bool SourceEdits::isMutated(const Decl *declaration) const {
  SourceLocation place = sources_.getExpansionLoc(declaration->getLocation());
  if (sources_.isInSystemHeader(place))
    return false;
  auto text = files_.project.text(sources_, SourceRange(place));
  return text && files_.contains(text->file);
}

void SourceEdits::add(const char *kind, const ProjectText &text, std::string replacement,
                      const std::string &function) {
  if (replacement == textOf(text))
    return;
  SourceLocation begin = sources_.getComposedLoc(text.id, text.begin);
  found_.insert({text.file, text.begin, text.end, std::move(replacement), kind,
                 sources_.getSpellingLineNumber(begin), sources_.getSpellingColumnNumber(begin),
                 function});
}

void SourceEdits::replace(const char *kind, SourceRange range, std::string replacement,
                          const std::string &function) {
  if (auto text = writtenText(range))
    add(kind, *text, std::move(replacement), function);
}

void SourceEdits::wrap(const char *kind, SourceRange range, llvm::StringRef before,
                       llvm::StringRef after, const std::string &function) {
  if (auto text = writtenText(range))
    add(kind, *text, (before + textOf(*text) + after).str(), function);
}

void SourceEdits::exchange(const char *kind, SourceRange one, SourceRange next,
                           const std::string &function) {
  auto first = writtenText(one), second = writtenText(next);
  auto both = writtenText({one.getBegin(), next.getEnd()});
  if (!first || !second || !both || first->end >= second->begin ||
      textOf(*first) == textOf(*second))
    return;
  llvm::StringRef between = sources_.getBufferData(first->id).slice(first->end, second->begin);
  add(kind, *both, (textOf(*second) + between + textOf(*first)).str(), function);
}

void SourceEdits::insertBehind(const char *kind, SourceLocation token, std::string text,
                               const std::string &function) {
  auto place = writtenText(token);
  if (!place)
    return;
  place->begin = place->end;
  add(kind, *place, std::move(text), function);
}

} // namespace retest
