#pragma once

#include "run/native_test.h"
#include "run/test_framework.h"

#include <llvm/ADT/StringRef.h>

#include <string>

namespace retest {

/// `text` with a backslash before each of `special`.
std::string escaped(llvm::StringRef text, llvm::StringRef special);

/// What a framework compares when its filter has the name of a test: the pattern to the subjects of
/// all tests. Where a framework cannot write a name exactly, the pattern matches more, never less:
///
///     GoogleTest  : - * ?           become `?`; nothing can be escaped
///     Catch2      letters           are compared without case, and blanks around are dropped
///                 * first or last   is a wildcard, with a backslash before it or without
///     doctest     * ?               are wildcards
///     Boost.Test  * , : / ! + @     end a name early, which then ends in `*`; its version 1.74
///                                   does not let them in, they are `_`
///
/// A line break is a `?` of GoogleTest, and ends a name of Catch2: filters may be lines of a file.
struct NamePattern {
  std::string pattern, subject;
  bool hasWildcard = false;
};

NamePattern namePattern(Framework framework, const NativeTest &test);

/// Whether a filter with the pattern runs a test with the subject.
bool matches(Framework framework, const NamePattern &pattern, llvm::StringRef subject);

/// The pattern of a name as a specification of Catch2, in double quotes: they keep a first `~`, `-`
/// or `#` from meaning something.
std::string catch2Specification(llvm::StringRef name);

/// `--dt-test-case=text`, of doctest. An empty filter would match everything; so what is to be
/// empty is told by excluding all that has at least one character.
std::string doctestArgument(llvm::StringRef option, llvm::StringRef text);

} // namespace retest
