#include "graph/extract_macros.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroInfo.h>

namespace retest {

using namespace clang;

std::vector<std::string> Macros::call(SourceLocation location) {
  const SourceManager &sources = places_.sources();
  const LangOptions &language = preprocessor_.getLangOpts();
  CharSourceRange range = sources.getExpansionRange(location);
  auto [file, begin] = sources.getDecomposedLoc(range.getBegin());
  unsigned end = sources.getFileOffset(range.getEnd());
  llvm::StringRef buffer = sources.getBufferData(file);
  Lexer lexer(sources.getLocForStartOfFile(file), language, buffer.begin(), buffer.begin() + begin,
              buffer.end());
  std::vector<std::string> tokens;
  for (Token token; !lexer.LexFromRawLexer(token);) {
    if (sources.getFileOffset(token.getLocation()) > end)
      break;
    tokens.push_back(Lexer::getSpelling(token, sources, language));
  }
  return tokens;
}

bool Macros::mentionsPosition(llvm::StringRef name) {
  auto found = preprocessor_.getIdentifierTable().find(name);
  return found != preprocessor_.getIdentifierTable().end() && mentionsPosition(found->second);
}

bool Macros::mentionsPosition(const IdentifierInfo *name) {
  if (name->getName() == "__LINE__" || name->getName() == "__COUNTER__")
    return true;
  if (!name->hadMacroDefinition())
    return false;
  auto [entry, isNew] = mentions_.try_emplace(name, false);
  if (!isNew)
    return entry->second; // false while it is looked at: macros may mention each other
  bool mentions = false;
  // All definitions the name ever had: which one was in force does not matter much here.
  for (const MacroDirective *directive = preprocessor_.getLocalMacroDirectiveHistory(name);
       directive && !mentions; directive = directive->getPrevious())
    if (const auto *definition = dyn_cast<DefMacroDirective>(directive))
      for (const Token &token : definition->getInfo()->tokens())
        if (const IdentifierInfo *mentioned = token.getIdentifierInfo())
          mentions = mentions || mentionsPosition(mentioned);
  return mentions_[name] = mentions;
}

bool Macros::tellPosition(SourceLocation location) {
  if (!places_.isInScratchSpace(location))
    return false;
  const SourceManager &sources = places_.sources();
  for (SourceLocation step = location; step.isMacroID();
       step = sources.getImmediateMacroCallerLoc(step))
    if (mentionsPosition(Lexer::getImmediateMacroName(step, sources, preprocessor_.getLangOpts())))
      return true;
  return llvm::any_of(call(location),
                      [&](const std::string &token) { return mentionsPosition(token); });
}

} // namespace retest
