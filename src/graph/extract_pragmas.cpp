#include "graph/extract_pragmas.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/StringExtras.h>

namespace retest {

using namespace clang;

namespace {

/// Pragmas that leave the meaning of other files alone. Those of OpenMP and loops act on the
/// statement behind them.
bool isHarmless(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.empty())
    return true;
  if ((words[0] == "GCC" || words[0] == "clang") && words.size() > 1)
    words.erase(words.begin());
  return llvm::is_contained({"once",       "message", "warning",       "error",
                             "diagnostic", "mark",    "region",        "endregion",
                             "omp",        "unroll",  "nounroll",      "loop",
                             "ivdep",      "poison",  "system_header", "push_macro",
                             "pop_macro",  "comment", "include_alias", "dependency"},
                            words[0]);
}

} // namespace

class ProjectPragmas::Callbacks : public PPCallbacks {
public:
  explicit Callbacks(ProjectPragmas &owner) : owner_(owner) {}

  void PragmaDirective(SourceLocation place, PragmaIntroducerKind) override {
    if (owner_.places_.isInProject(place))
      owner_.add(owner_.read(place));
  }
  void FileChanged(SourceLocation place, FileChangeReason reason, SrcMgr::CharacteristicKind,
                   FileID) override {
    SourceLocation from = owner_.sources_.getIncludeLoc(owner_.sources_.getFileID(place));
    if (reason == EnterFile && from.isValid() && owner_.places_.isInProject(from) &&
        !owner_.places_.isInProject(place))
      owner_.enterOther();
  }

private:
  ProjectPragmas &owner_;
};

ProjectPragmas::ProjectPragmas(Preprocessor &preprocessor, Places &places)
    : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()), places_(places),
      macros_(preprocessor, places) {
  preprocessor.addPPCallbacks(std::make_unique<Callbacks>(*this));
}

/// Of `#pragma`: the rest of the line. Of `_Pragma("...")`: the text in it; or the call of the
/// macro that makes the text from its arguments.
ProjectPragmas::Pragma ProjectPragmas::read(SourceLocation place) {
  Pragma pragma = readLine(sources_.getSpellingLoc(place));
  if (pragma.kind != "_Pragma")
    return pragma;
  llvm::StringRef text = pragma.text;
  if (place.isMacroID() && text.starts_with("_Pragma ( #")) {
    std::vector<std::string> call = macros_.call(place);
    return {call.empty() ? "" : call.front(), llvm::join(call, " ") + " "};
  }
  std::string inner = text.split('"').second.split('"').first.str();
  return {llvm::StringRef(inner).take_while(llvm::isAlnum).str(), inner + " "};
}

ProjectPragmas::Pragma ProjectPragmas::readLine(SourceLocation place) const {
  auto [file, offset] = sources_.getDecomposedLoc(place);
  llvm::StringRef buffer = sources_.getBufferData(file);
  Lexer lexer(sources_.getLocForStartOfFile(file), preprocessor_.getLangOpts(), buffer.begin(),
              buffer.begin() + offset, buffer.end());
  Pragma pragma;
  Token token;
  bool isFirst = true;
  while (!lexer.LexFromRawLexer(token) && (isFirst || !token.isAtStartOfLine())) {
    std::string word = Lexer::getSpelling(token, sources_, preprocessor_.getLangOpts());
    isFirst = false;
    if (word == "#" || (word == "pragma" && pragma.text.empty()))
      continue;
    if (pragma.kind.empty())
      pragma.kind = word;
    pragma.text += word + " ";
  }
  return pragma;
}

void ProjectPragmas::add(Pragma pragma) {
  if (isHarmless(pragma.text))
    return;
  auto isPush = [](const Pragma &entry) { return llvm::StringRef(entry.text).contains(" push "); };
  bool isPop = llvm::StringRef(pragma.text).contains(" pop ");
  if (!isPop && pragma.text != pragma.kind + " ( ) ") { // "pack()" sets back what was set
    inForce_.push_back(std::move(pragma));
    return;
  }
  for (std::size_t i = inForce_.size(); i-- > 0;) {
    if (inForce_[i].kind != pragma.kind)
      continue;
    bool isOpening = isPush(inForce_[i]);
    if (isOpening && !isPop)
      break;
    inForce_.erase(inForce_.begin() + i);
    if (isOpening)
      break;
  }
}

void ProjectPragmas::enterOther() {
  if (inForce_.empty())
    return;
  std::string state;
  for (const Pragma &pragma : inForce_)
    state += pragma.text + "\n";
  seenByOthers_.push_back(std::move(state));
}

Fingerprint ProjectPragmas::finish() const {
  std::vector<std::string> states = seenByOthers_;
  for (const Pragma &pragma : inForce_)
    if (pragma.kind == "weak" || pragma.kind == "redefine_extname") // hold wherever they stand
      states.push_back(pragma.text);
  if (states.empty())
    return {};
  FingerprintBuilder hash;
  for (const std::string &state : states)
    hash.add(llvm::StringRef(state));
  return hash.finish();
}

} // namespace retest
