#pragma once

#include "build/compile_database.h"

#include <llvm/ADT/StringMap.h>

namespace retest {

/// What precompiled headers are made from, by the path of what a command makes. A command knows
/// only the header that was made (Meson: `-include-pch app.p/pch.hpp.pch` of ../pch/pch.hpp; with
/// GCC
/// `-include pch.hpp`, which is found as app.p/pch.hpp.gch).
class PrecompiledHeaders {
public:
  /// Takes note of a command that makes one.
  void add(const CompileCommand &command);

  /// Lets a command include the sources instead. An error if the source of a header is not known:
  /// what it says would be missing in the unit.
  llvm::Error resolve(CompileCommand &command) const;

private:
  llvm::StringMap<std::string> sources_;
};

} // namespace retest
