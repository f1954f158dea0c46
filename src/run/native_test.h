#pragma once

#include <compare>
#include <string>

namespace retest {

/// A test as its framework lists it.
struct NativeTest {
  /// The framework's own full name: GoogleTest `Suite.Test`, `Instance/Suite.Test/0`, typed
  /// `Suite/0.Test`; Catch2 and doctest the name of the case; Boost.Test the path `suite/case`.
  std::string name;
  std::string suite = {};  ///< empty: in none
  std::string file = {};   ///< as the compiler was given it; empty: the framework does not say
  unsigned line = 0;       ///< 0: the framework does not say
  bool isDisabled = false; ///< runs only if it is asked for (disabled, skipped, hidden)
  /// Boost.Test runs what this test, or a suite around it, depends on whenever it runs this test.
  bool bringsOthers = false;

  auto operator<=>(const NativeTest &) const = default;
};

} // namespace retest
