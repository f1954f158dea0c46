#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace retest {

/// A word as a shell has to be given it. Text that any shell takes as it is stays so.
///
///     src/a.cpp   it's     ->   src/a.cpp   'it'\''s'
std::string shellQuoted(llvm::StringRef word);

/// Words with blanks between.
std::string shellCommand(llvm::ArrayRef<std::string> words);

} // namespace retest
