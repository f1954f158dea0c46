#pragma once

#include "support/fingerprint.h"

#include <compare>
#include <string>

namespace retest {

/// Something that is not code of the project and decides how its tests behave: a compiler, a
/// library, flags of the linker.
struct EnvironmentPart {
  std::string binary;  ///< whose tests it concerns, as ProjectPaths::nameOf gives it; empty: all
  std::string what;    ///< "library /usr/lib/libz.so.1", "link flags"
  Fingerprint content; ///< zero: it was not there, or could not be read

  auto operator<=>(const EnvironmentPart &) const = default;
};

} // namespace retest
