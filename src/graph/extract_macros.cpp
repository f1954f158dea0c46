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

unsigned Macros::positionsIn(llvm::StringRef name) {
  auto found = preprocessor_.getIdentifierTable().find(name);
  return found == preprocessor_.getIdentifierTable().end() ? 0 : positionsIn(found->second);
}

unsigned Macros::positionsIn(const IdentifierInfo *name) {
  if (name->getName() == "__LINE__")
    return kLine;
  if (name->getName() == "__COUNTER__")
    return kCounter;
  if (!name->hadMacroDefinition())
    return 0;
  auto [entry, isNew] = mentions_.try_emplace(name, 0);
  if (!isNew)
    return entry->second; // none while it is looked at: macros may mention each other
  unsigned mentions = 0;
  // All definitions the name ever had: which one was in force does not matter much here.
  for (const MacroDirective *directive = preprocessor_.getLocalMacroDirectiveHistory(name);
       directive; directive = directive->getPrevious())
    if (const auto *definition = dyn_cast<DefMacroDirective>(directive))
      for (const Token &token : definition->getInfo()->tokens())
        if (const IdentifierInfo *mentioned = token.getIdentifierInfo())
          mentions |= positionsIn(mentioned);
  return mentions_[name] = mentions;
}

unsigned Macros::positionsAt(SourceLocation location) {
  if (!places_.isInScratchSpace(location))
    return 0;
  unsigned mentions = 0;
  const SourceManager &sources = places_.sources();
  for (SourceLocation step = location; step.isMacroID();
       step = sources.getImmediateMacroCallerLoc(step))
    mentions |=
        positionsIn(Lexer::getImmediateMacroName(step, sources, preprocessor_.getLangOpts()));
  for (const std::string &token : call(location))
    mentions |= positionsIn(llvm::StringRef(token));
  return mentions;
}

bool Macros::isLineOfCall(SourceLocation location, llvm::StringRef number) const {
  unsigned line = 0;
  if (number.getAsInteger(10, line))
    return false;
  const SourceManager &sources = places_.sources();
  CharSourceRange call = sources.getExpansionRange(location);
  return line >= sources.getPresumedLineNumber(call.getBegin()) &&
         line <= sources.getPresumedLineNumber(call.getEnd());
}

} // namespace retest
