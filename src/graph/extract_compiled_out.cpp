#include "graph/extract_compiled_out.h"

#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>

#include <algorithm>

namespace retest {

using namespace clang;

class CompiledOut::Callbacks : public PPCallbacks {
public:
  explicit Callbacks(CompiledOut &owner) : owner_(owner) {}

  void FileChanged(SourceLocation place, FileChangeReason reason, SrcMgr::CharacteristicKind,
                   FileID) override {
    if (reason == EnterFile && owner_.places_.isInProject(place))
      owner_.skipped_.try_emplace(owner_.sources_.getFileID(place));
  }

  /// `end` is the word behind the `#` that ends the skipping.
  void SourceRangeSkipped(clang::SourceRange range, SourceLocation end) override {
    auto [file, begin] = owner_.sources_.getDecomposedLoc(range.getBegin());
    auto found = owner_.skipped_.find(file);
    if (found != owner_.skipped_.end() && owner_.sources_.getFileID(end) == file)
      found->second.push_back({begin, owner_.sources_.getFileOffset(end)});
  }

  void If(SourceLocation place, clang::SourceRange, ConditionValueKind) override { count(place); }
  void Ifdef(SourceLocation place, const Token &, const MacroDefinition &) override {
    count(place);
  }
  void Ifndef(SourceLocation place, const Token &, const MacroDefinition &) override {
    count(place);
  }

private:
  void count(SourceLocation place) {
    FileID file = owner_.sources_.getFileID(place);
    if (owner_.skipped_.contains(file))
      ++owner_.conditionals_[owner_.sources_.getFileEntryForID(file)];
  }

  CompiledOut &owner_;
};

CompiledOut::CompiledOut(Preprocessor &preprocessor, Places &places)
    : preprocessor_(preprocessor), sources_(preprocessor.getSourceManager()),
      language_(preprocessor.getLangOpts()), places_(places) {
  preprocessor.addPPCallbacks(std::make_unique<Callbacks>(*this));
}

std::vector<CompiledOut::Range> CompiledOut::intersection(const std::vector<Range> &a,
                                                          const std::vector<Range> &b) {
  std::vector<Range> common;
  for (auto first = a.begin(), second = b.begin(); first != a.end() && second != b.end();) {
    Range both{std::max(first->begin, second->begin), std::min(first->end, second->end)};
    if (both.begin < both.end)
      common.push_back(both);
    first->end < second->end ? ++first : ++second;
  }
  return common;
}

void CompiledOut::addRegion(FileID file, Range range, std::vector<Region> &regions) const {
  llvm::StringRef buffer = sources_.getBufferData(file);
  Lexer lexer(sources_.getLocForStartOfFile(file), language_, buffer.begin(),
              buffer.begin() + range.begin, buffer.end());
  std::vector<std::string> words;
  bool isDirective = false;
  for (Token token; !lexer.LexFromRawLexer(token);) {
    if (sources_.getFileOffset(token.getLocation()) >= range.end)
      break;
    if (token.isAtStartOfLine()) {
      if (isDirective)
        words.push_back("\n"); // the only line break with a meaning
      isDirective = token.is(tok::hash);
    }
    words.push_back(Lexer::getSpelling(token, sources_, language_));
  }
  bool isComment = words.size() > 3 && words[1] == "if" && words[2] == "0" && words[3] == "\n" &&
                   !llvm::is_contained(words, "elif");
  bool isEmpty =
      words.size() < 2 || // the # between two ranges
      (words[1] == "else" && llvm::all_of(
                                 llvm::drop_begin(words, 2),
                                 [](auto &word) {
                                   return word == "\n" || word == "#"; // that of the #endif
                                 }));
  if (isComment || isEmpty)
    return;
  FingerprintBuilder hash;
  for (const std::string &word : words)
    hash.add(llvm::StringRef(word));
  regions.push_back({range, hash.finish()});
}

void CompiledOut::findRegions() {
  isDone_ = true;
  llvm::DenseMap<const FileEntry *, std::vector<Range>> left;
  for (const auto &[id, ranges] : skipped_) {
    const FileEntry *file = sources_.getFileEntryForID(id);
    if (!file)
      continue;
    if (files_.try_emplace(file, id).second)
      left[file] = ranges;
    else
      left[file] = intersection(left[file], ranges);
  }
  for (const auto &[file, ranges] : left)
    for (Range range : ranges)
      addRegion(files_[file], range, regions_[file]);
}

Fingerprint CompiledOut::inside(clang::SourceRange range) {
  if (!isDone_)
    findRegions();
  if (range.isInvalid())
    return {};
  auto [file, begin] = sources_.getDecomposedLoc(sources_.getExpansionLoc(range.getBegin()));
  auto [endFile, end] =
      sources_.getDecomposedLoc(sources_.getExpansionRange(range.getEnd()).getEnd());
  auto found = regions_.find(sources_.getFileEntryForID(file));
  if (file != endFile || found == regions_.end())
    return {};
  FingerprintBuilder hash;
  bool isAny = false;
  for (Region &region : found->second)
    if (begin <= region.range.begin && region.range.end <= end) {
      hash.add(region.text);
      region.isMet = isAny = true;
    }
  return isAny ? hash.finish() : Fingerprint{};
}

/// An include guard is no choice.
bool CompiledOut::hasChoice(FileID id) const {
  FileEntryRef file = *sources_.getFileEntryRefForID(id);
  bool isGuarded = preprocessor_.getHeaderSearchInfo().isFileMultipleIncludeGuarded(file);
  return conditionals_.lookup(&file.getFileEntry()) > isGuarded;
}

std::vector<LeftOutText> CompiledOut::elsewhere(const Names &names) {
  if (!isDone_)
    findRegions();
  std::vector<LeftOutText> found;
  for (auto [file, id] : files_) {
    std::vector<Fingerprint> texts;
    for (const Region &region : regions_[file])
      if (!region.isMet)
        texts.push_back(region.text);
    if (texts.empty() && !hasChoice(id))
      continue;
    std::sort(texts.begin(), texts.end());
    FingerprintBuilder hash;
    for (Fingerprint text : texts)
      hash.add(text);
    found.push_back({places_.position(sources_.getLocForStartOfFile(id)).file,
                     texts.empty() ? Fingerprint{} : hash.finish(),
                     fingerprintOf(sources_.getBufferData(id))});
  }
  llvm::sort(found, [&](const LeftOutText &a, const LeftOutText &b) {
    return names.text(a.file) < names.text(b.file);
  });
  return found;
}

} // namespace retest
