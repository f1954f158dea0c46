#pragma once

#include "graph/extract_macros.h"
#include "graph/extract_pragmas.h"
#include "support/fingerprint.h"

#include <llvm/ADT/StringMap.h>

#include <map>
#include <vector>

namespace retest {

/// How a unit sees each header outside the project: the tokens that come out of it.
///
/// What macros and flags make of a header is exactly what the preprocessor hands to the parser, so
/// that is hashed, file by file: `-D_GLIBCXX_ASSERTIONS` changes bodies in the standard library
/// that no graph shows. A header may be entered several times; each way of reading it counts once,
/// in whatever order, and reading nothing of it does not count. So it does not matter which other
/// header includes it too. Nor does it matter which of several headers declares what each of them
/// would declare, told by a macro; unless it is the project that defines the macro. A macro of the
/// project or the command that a header asks for counts, since it may decide what else is included:
///
/// A file of the project that a header includes is part of the header, and so are the pragmas of
/// the project that are in force while it is read.
///
///     #ifndef __ssize_t_defined
///     typedef __ssize_t ssize_t;      left out: it follows from the content of the header
///     #define __ssize_t_defined
///     #endif
///
/// Cost: one look at each token that Clang lexes, about 1 % of a parse.
class HeaderTokens {
public:
  HeaderTokens(clang::Preprocessor &preprocessor, Places &places, const ProjectPragmas &pragmas);
  HeaderTokens(const HeaderTokens &) = delete;

  /// By the name under which Clang opened the file. A header of which no token is left is not here.
  llvm::StringMap<Fingerprint> finish() const;

  /// Whether a macro of the project or the command was used in some header, and has names in it.
  bool isGivenNames() const { return isGivenNames_; }

private:
  using Values = std::vector<std::uint64_t>;
  class Callbacks;

  /// An open conditional directive.
  struct Conditional {
    const clang::IdentifierInfo *undefined = nullptr; ///< of an #ifndef that holds
    Values *values = nullptr;                         ///< of its file
    std::size_t begin = 0;                            ///< where its tokens begin in them
    bool definesIt = false;                           ///< the macro that it asks for
    /// Nothing inside but declarations without a body, with tokens of the file itself.
    bool isPlain = true;
  };

  void add(const clang::Token &token);
  void enter(clang::SourceLocation place);
  clang::FileID externalAround(clang::FileID file);
  void open(clang::SourceLocation place, const clang::IdentifierInfo *undefined);
  void close();
  /// Takes note of a macro that is given from outside and that the current header asks for.
  void addGiven(const clang::MacroDefinition &macro);
  std::uint64_t hashOfGiven(const clang::MacroInfo &macro);
  std::uint64_t valueOf(const clang::Token &token);
  bool tellsPosition(const clang::Token &token);

  const clang::SourceManager &sources_;
  Places &places_;
  const ProjectPragmas &pragmas_;
  Macros macros_;
  std::map<clang::FileID, Values> inclusions_; ///< of files outside the project
  llvm::DenseMap<const clang::IdentifierInfo *, std::uint64_t> names_;
  llvm::DenseMap<const clang::MacroInfo *, std::uint64_t> given_; ///< hashOfGiven
  bool isGivenNames_ = false;
  std::vector<Conditional> conditionals_;
  // The file of the last token: where it begins and ends, and its values if it is external.
  unsigned begin_ = 1, end_ = 0;
  Values *current_ = nullptr;
};

} // namespace retest
