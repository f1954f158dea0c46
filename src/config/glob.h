#pragma once

#include <llvm/ADT/StringRef.h>

namespace retest {

/// Whether a name of a test is one that the pattern means: `*` stands for any text, `?` for any
/// character, `\*` for a star. All other characters stand for themselves, brackets too.
///
///     calc_test::*    Add.?egative    what\?
///
/// Cost: the product of the lengths, whatever the pattern.
bool matchesName(llvm::StringRef pattern, llvm::StringRef name);

/// The same for a path relative to the root, in the way of .gitignore: `*` and `?` stop at a slash,
/// `**` does not; a pattern without a slash means files of that name in any directory, one that
/// ends in a slash all that is below; "/" and "./" at the begin mean the root.
///
///     *.proto    data/    cmake/**/*.in    /CMakeLists.txt
bool matchesPath(llvm::StringRef pattern, llvm::StringRef path);

} // namespace retest
