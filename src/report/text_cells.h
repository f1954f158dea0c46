#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace retest {

/// The text between colour codes, if colours are on.
std::string coloured(bool isOn, const char *code, const std::string &text);

/// Source text for a terminal: valid UTF-8, tabs as blanks, other control characters as `?`, and
/// cut with "..." where it is wider than `columns`.
std::string cutToColumns(llvm::StringRef text, std::size_t columns);

/// The same, filled up with blanks to exactly that width.
std::string filledToColumns(llvm::StringRef text, std::size_t columns);

/// A name that may hold anything, for a line of its own: control characters as `\x0a`. Others than
/// people read it: nothing is cut, and two names stay two.
std::string oneLine(llvm::StringRef text);

} // namespace retest
