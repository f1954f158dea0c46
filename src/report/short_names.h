#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace retest {

/// A name as people write it: default arguments of the standard library's templates and its
/// inner namespaces are left out. For showing only; two different names may come out the same.
///
///     std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>> ->
///     std::string std::map<int, T, std::less<int>, std::allocator<std::pair<const int, T>>> ->
///     std::map<int, T>
std::string shortName(llvm::StringRef name);

} // namespace retest
