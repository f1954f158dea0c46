#pragma once

#include "graph/extract_places.h"
#include "graph/unit_graph.h"

#include <clang/Lex/Preprocessor.h>

#include <map>
#include <vector>

namespace retest {

/// The text in files of the project that the preprocessor leaves out (DESIGN 2.4, rule 5).
///
///     #ifdef NDEBUG      left out with the directive, up to the #else
///       return 1;
///     #else
///       return 2;
///     #endif
///
/// A file that is entered several times: what one of the inclusions compiles is not left out, so
/// an include guard is not. Text under `#if 0` is a comment in every configuration.
class CompiledOut {
public:
  CompiledOut(clang::Preprocessor &preprocessor, Places &places);
  CompiledOut(const CompiledOut &) = delete;

  /// Of the text left out in this range, without comments and layout; zero if there is none.
  /// REQUIRES: the preprocessor is done.
  Fingerprint inside(clang::SourceRange range);
  /// The text that no call of `inside` has met; the order of its parts does not count.
  std::vector<LeftOutText> elsewhere(const Names &names);

private:
  class Callbacks;

  struct Range { ///< offsets in a file
    unsigned begin = 0, end = 0;

    auto operator<=>(const Range &) const = default;
  };
  struct Region {
    Range range;
    Fingerprint text;
    bool isMet = false;
  };

  void findRegions();
  void addRegion(clang::FileID file, Range range, std::vector<Region> &regions) const;
  bool hasChoice(clang::FileID id) const;
  static std::vector<Range> intersection(const std::vector<Range> &a, const std::vector<Range> &b);

  clang::Preprocessor &preprocessor_;
  const clang::SourceManager &sources_;
  const clang::LangOptions &language_;
  Places &places_;
  /// The ranges that each inclusion of a project file skipped, in the order of the text.
  std::map<clang::FileID, std::vector<Range>> skipped_;
  llvm::DenseMap<const clang::FileEntry *, unsigned> conditionals_; ///< how many were entered
  bool isDone_ = false;
  llvm::DenseMap<const clang::FileEntry *, clang::FileID> files_; ///< one of its inclusions
  llvm::DenseMap<const clang::FileEntry *, std::vector<Region>> regions_;
};

} // namespace retest
