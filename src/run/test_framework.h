#pragma once

#include <optional>
#include <string>

namespace retest {

enum class Framework { GoogleTest, Catch2, Doctest, BoostTest };

/// Which framework runs the tests of a program, by the names in its symbol tables (static and
/// dynamic). The program is not run: it may be anything.
///
/// A framework counts if its entry (`doctest::Context::run`, say) is defined or referenced; else,
/// for a program whose `main` is in a shared library, if what registers its tests is. Among
/// several, one that has tests in this program goes first: Google Mock brings GoogleTest's entry to
/// a program whose tests are doctest's. What is left is decided by the order Catch2, doctest,
/// Boost.Test, GoogleTest: the last is the one that other libraries bring along.
///
/// Nothing: a script, a program without framework, or one that is stripped and has the framework
/// linked in statically.
std::optional<Framework> detectFramework(const std::string &program);

} // namespace retest
