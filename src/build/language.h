#pragma once

#include "build/compile_database.h"

#include <string>

namespace retest {

enum class EntryKind {
  Unit,              ///< C or C++
  PrecompiledHeader, ///< is not linked
  OtherLanguage,     ///< its object is linked, but Clang cannot say what it does
};

struct Classification {
  EntryKind kind = EntryKind::Unit;
  std::string reason; ///< "precompiled header", "assembly", "Fortran", ...; empty for a unit

  bool isUnknown() const; ///< neither `-x` nor the ending tells a language
};

/// What an entry of the compile database compiles, by `-x` or else by the ending of the file.
Classification classify(const CompileCommand &command);

} // namespace retest
