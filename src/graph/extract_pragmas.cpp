#include "graph/extract_pragmas.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/StringExtras.h>

namespace retest {

using namespace clang;

namespace {

/// Pragmas that leave the meaning of other files alone. Those of OpenMP and loops act on the
/// statement behind them.
bool isHarmless(llvm::StringRef kind) {
  for (llvm::StringRef vendor : {"GCC ", "clang "})
    kind.consume_front(vendor);
  return kind.empty() ||
         llvm::is_contained({"once",       "message", "warning",       "error",
                             "diagnostic", "mark",    "region",        "endregion",
                             "omp",        "unroll",  "nounroll",      "loop",
                             "ivdep",      "poison",  "system_header", "push_macro",
                             "pop_macro",  "comment", "include_alias", "dependency"},
                            kind);
}

} // namespace

class ProjectPragmas::Callbacks : public PPCallbacks {
public:
  explicit Callbacks(ProjectPragmas &owner) : owner_(owner) {}

  void PragmaDirective(SourceLocation place, PragmaIntroducerKind) override {
    if (owner_.places_.isInProject(place))
      owner_.add(owner_.read(place));
  }

private:
  ProjectPragmas &owner_;
};

ProjectPragmas::ProjectPragmas(Preprocessor &preprocessor, Places &places)
    : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()), places_(places),
      macros_(preprocessor, places) {
  preprocessor.addPPCallbacks(std::make_unique<Callbacks>(*this));
}

/// Of `#pragma`: the rest of the line. Of `_Pragma("...")`: what the text says; or, where a macro
/// makes the text, the call of that macro.
ProjectPragmas::Pragma ProjectPragmas::read(SourceLocation place) {
  std::vector<std::string> words = wordsAt(sources_.getSpellingLoc(place));
  if (!words.empty() && words.front() == "_Pragma") {
    bool isLiteral = words.size() > 2 && llvm::StringRef(words[2]).starts_with("\"");
    words = isLiteral ? wordsOf(llvm::StringRef(words[2]).trim('"')) : macros_.call(place);
  }
  Pragma pragma;
  if (words.empty())
    return pragma;
  pragma.kind = words[0];
  if ((words[0] == "GCC" || words[0] == "clang" || words[0] == "STDC") && words.size() > 1)
    pragma.kind += " " + words[1];
  for (const std::string &word : words)
    pragma.text += " " + word;
  pragma.text += " ";
  for (const std::string &word : words)
    addMacros(word, 0, pragma.text);
  return pragma;
}

/// The words behind `#pragma`, or from `_Pragma` on, to the end of the line.
std::vector<std::string> ProjectPragmas::wordsAt(SourceLocation place) const {
  auto [file, offset] = sources_.getDecomposedLoc(place);
  llvm::StringRef buffer = sources_.getBufferData(file);
  Lexer lexer(sources_.getLocForStartOfFile(file), preprocessor_.getLangOpts(), buffer.begin(),
              buffer.begin() + offset, buffer.end());
  std::vector<std::string> words;
  Token token;
  bool isFirst = true;
  while (!lexer.LexFromRawLexer(token) && (isFirst || !token.isAtStartOfLine())) {
    isFirst = false;
    std::string word = Lexer::getSpelling(token, sources_, preprocessor_.getLangOpts());
    if (word != "#" && !(word == "pragma" && words.empty()))
      words.push_back(std::move(word));
  }
  return words;
}

std::vector<std::string> ProjectPragmas::wordsOf(llvm::StringRef text) const {
  std::string copy = text.str(); // the lexer wants a zero behind it
  Lexer lexer(SourceLocation(), preprocessor_.getLangOpts(), copy.data(), copy.data(),
              copy.data() + copy.size());
  std::vector<std::string> words;
  for (Token token; !lexer.LexFromRawLexer(token);)
    words.push_back(std::string(lexer.getBufferLocation() - token.getLength(), token.getLength()));
  return words;
}

/// Clang expands macros in many pragmas: `#pragma pack(PACKING)`.
void ProjectPragmas::addMacros(llvm::StringRef word, unsigned depth, std::string &text) const {
  constexpr unsigned kDeepest = 8;
  if (depth == kDeepest || word.empty() || !(llvm::isAlpha(word.front()) || word.front() == '_'))
    return;
  const IdentifierInfo *name = preprocessor_.getIdentifierInfo(word);
  const MacroInfo *macro = name ? preprocessor_.getMacroInfo(name) : nullptr;
  if (!macro)
    return;
  for (const Token &token : macro->tokens()) {
    std::string part = preprocessor_.getSpelling(token);
    text += part + " ";
    addMacros(part, depth + 1, text);
  }
}

void ProjectPragmas::add(Pragma pragma) {
  if (isHarmless(pragma.kind))
    return;
  auto isPush = [](const Pragma &entry) { return llvm::StringRef(entry.text).contains(" push "); };
  bool isPop = llvm::StringRef(pragma.text).contains(" pop ");
  bool isReset = pragma.text == " " + pragma.kind + " ( ) "; // "pack()" sets back what was set
  if (!isPop && !isReset)
    inForce_.push_back(pragma);
  else
    for (std::size_t i = inForce_.size(); i-- > 0;) {
      if (inForce_[i].kind != pragma.kind)
        continue;
      bool isOpening = isPush(inForce_[i]);
      if (isOpening && isReset)
        break;
      inForce_.erase(inForce_.begin() + i);
      if (isOpening)
        break;
    }
  FingerprintBuilder hash;
  for (const Pragma &entry : inForce_)
    hash.add(llvm::StringRef(entry.text));
  state_ = inForce_.empty() ? 0 : hash.finish().low | 1;
}

Fingerprint ProjectPragmas::ofUnit() const {
  FingerprintBuilder hash;
  bool isAny = false;
  for (const Pragma &pragma : inForce_)
    if (pragma.kind == "weak" || pragma.kind == "redefine_extname") {
      hash.add(llvm::StringRef(pragma.text));
      isAny = true;
    }
  return isAny ? hash.finish() : Fingerprint{};
}

} // namespace retest
