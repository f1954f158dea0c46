#include "graph/extract_header_tokens.h"

#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/Support/xxhash.h>

#include <set>

namespace retest {

using namespace clang;

namespace {

constexpr std::uint64_t kGiven = ~std::uint64_t{0};

} // namespace

class HeaderTokens::Callbacks : public PPCallbacks {
public:
  explicit Callbacks(HeaderTokens &owner) : owner_(owner) {}

  void If(SourceLocation place, clang::SourceRange, ConditionValueKind) override {
    owner_.open(place, nullptr);
  }
  void Ifdef(SourceLocation place, const Token &, const MacroDefinition &macro) override {
    owner_.open(place, nullptr);
    if (macro)
      owner_.addGiven(macro);
  }
  void Defined(const Token &name, const MacroDefinition &macro, clang::SourceRange) override {
    if (macro && name.getLocation().isFileID()) {
      owner_.enter(name.getLocation());
      owner_.addGiven(macro);
    }
  }
  void MacroExpands(const Token &name, const MacroDefinition &macro, clang::SourceRange,
                    const MacroArgs *) override {
    if (name.getLocation().isFileID()) {
      owner_.enter(name.getLocation());
      owner_.addGiven(macro);
    }
  }
  void Ifndef(SourceLocation place, const Token &name, const MacroDefinition &macro) override {
    owner_.open(place, macro ? nullptr : name.getIdentifierInfo());
    if (macro)
      owner_.addGiven(macro);
  }
  void Elif(SourceLocation, clang::SourceRange, ConditionValueKind, SourceLocation) override {
    notPlain();
  }
  void Else(SourceLocation, SourceLocation) override { notPlain(); }
  void Endif(SourceLocation, SourceLocation) override { owner_.close(); }
  void MacroDefined(const Token &name, const MacroDirective *) override {
    if (!owner_.conditionals_.empty() &&
        owner_.conditionals_.back().undefined == name.getIdentifierInfo())
      owner_.conditionals_.back().definesIt = true;
  }

private:
  void notPlain() {
    if (!owner_.conditionals_.empty())
      owner_.conditionals_.back().isPlain = false;
  }

  HeaderTokens &owner_;
};

void HeaderTokens::open(SourceLocation place, const IdentifierInfo *undefined) {
  enter(place);
  bool isNested = false; // else it may be the guard of the whole file
  for (Conditional &around : conditionals_) {
    around.isPlain = false;
    isNested = isNested || around.values == current_;
  }
  bool isPlain = undefined && current_ && (isNested || !current_->empty());
  conditionals_.push_back({undefined, current_, current_ ? current_->size() : 0, false, isPlain});
}

void HeaderTokens::close() {
  if (conditionals_.empty())
    return;
  Conditional closed = conditionals_.back();
  conditionals_.pop_back();
  if (closed.isPlain && closed.definesIt)
    closed.values->resize(closed.begin);
}

void HeaderTokens::addGiven(const MacroDefinition &macro) {
  const MacroInfo *info = macro.getMacroInfo();
  if (!current_ || !info || info->isBuiltinMacro())
    return;
  auto [entry, isNew] = given_.try_emplace(info, 0);
  if (isNew)
    entry->second = hashOfGiven(*info);
  if (entry->second != 0)
    current_->push_back(entry->second);
}

/// Of a macro that the project or the command defines; 0 for one of a header or of the compiler.
std::uint64_t HeaderTokens::hashOfGiven(const MacroInfo &macro) {
  SourceLocation place = sources_.getExpansionLoc(macro.getDefinitionLoc());
  bool isOfHeader = place.isValid() && !places_.isInProject(place) &&
                    sources_.getFileEntryForID(sources_.getFileID(place));
  if (isOfHeader || sources_.isWrittenInBuiltinFile(place))
    return 0;
  FingerprintBuilder hash;
  hash.add(kGiven);
  for (const Token &token : macro.tokens()) {
    hash.add(valueOf(token));
    isGivenNames_ |= token.is(tok::identifier);
  }
  return hash.finish().low | 1;
}

HeaderTokens::HeaderTokens(Preprocessor &preprocessor, Places &places,
                           const ProjectPragmas &pragmas)
    : sources_(preprocessor.getSourceManager()), places_(places), pragmas_(pragmas),
      macros_(preprocessor, places) {
  preprocessor.addPPCallbacks(std::make_unique<Callbacks>(*this));
  preprocessor.setTokenWatcher([this](const Token &token) { add(token); });
}

void HeaderTokens::add(const Token &token) {
  SourceLocation place = token.getLocation();
  if (place.isInvalid())
    return;
  if (!conditionals_.empty() && (place.isMacroID() || token.isOneOf(tok::l_brace, tok::equal)))
    conditionals_.back().isPlain = false;
  if (place.isMacroID())
    place = sources_.getExpansionLoc(place);
  enter(place);
  if (current_)
    current_->push_back(valueOf(token));
}

void HeaderTokens::enter(SourceLocation place) {
  if (place.getRawEncoding() >= begin_ && place.getRawEncoding() <= end_)
    return;
  FileID file = sources_.getFileID(place);
  begin_ = sources_.getLocForStartOfFile(file).getRawEncoding();
  end_ = begin_ + sources_.getFileIDSize(file);
  FileID external = externalAround(file);
  current_ = external.isValid() ? &inclusions_[external] : nullptr;
  if (current_ && pragmas_.state() != 0)
    current_->push_back(pragmas_.state());
}

/// The file itself, or the nearest one around it that is outside the project.
FileID HeaderTokens::externalAround(FileID file) {
  while (file.isValid() && places_.isInProject(sources_.getLocForStartOfFile(file))) {
    SourceLocation includer = sources_.getIncludeLoc(file);
    file = includer.isValid() ? sources_.getFileID(includer) : FileID();
  }
  return file;
}

std::uint64_t HeaderTokens::valueOf(const Token &token) {
  if (token.isAnnotation()) // a pragma
    return token.getKind();
  if (tellsPosition(token))
    return 0;
  if (const IdentifierInfo *name = token.getIdentifierInfo()) {
    auto [entry, isNew] = names_.try_emplace(name, 0);
    if (isNew)
      entry->second = llvm::xxh3_64bits(name->getName());
    return entry->second;
  }
  if (token.isLiteral() && token.getLiteralData())
    return llvm::xxh3_64bits(llvm::StringRef(token.getLiteralData(), token.getLength()));
  return token.getKind();
}

/// __COUNTER__, and names pasted with it, follow from what was counted before the header.
bool HeaderTokens::tellsPosition(const Token &token) {
  SourceLocation place = token.getLocation();
  if (place.isFileID() || !(token.isLiteral() || token.getIdentifierInfo()))
    return false;
  // Most tokens of macros are in some file; to find the place of those that are not takes longer.
  FileID spelled = sources_.getFileID(sources_.getSpellingLoc(place));
  return !sources_.getFileEntryForID(spelled) && macros_.positionsAt(place) != 0;
}

llvm::StringMap<Fingerprint> HeaderTokens::finish() const {
  struct Header {
    std::set<std::string> names; // it may be included under several
    std::set<Fingerprint> ways;
  };
  std::map<const FileEntry *, Header> headers;
  for (const auto &[id, values] : inclusions_)
    if (OptionalFileEntryRef file = sources_.getFileEntryRefForID(id)) {
      if (values.empty())
        continue;
      Header &header = headers[&file->getFileEntry()];
      header.names.insert(file->getName().str());
      FingerprintBuilder hash;
      for (std::uint64_t value : values)
        hash.add(value);
      header.ways.insert(hash.finish());
    }
  llvm::StringMap<Fingerprint> result;
  for (const auto &[file, header] : headers) {
    FingerprintBuilder hash;
    for (Fingerprint way : header.ways)
      hash.add(way);
    for (const std::string &name : header.names)
      result[name] = hash.finish();
  }
  return result;
}

} // namespace retest
