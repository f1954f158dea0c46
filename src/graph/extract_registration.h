#pragma once

#include "graph/extract_context.h"

#include <optional>
#include <string>

namespace retest {

/// Whether a variable is one of those by which the macros of GoogleTest, Catch2, doctest and
/// Boost.Test tell the framework of a test, and its initialiser does nothing else:
///
///     TEST(Suite, adds) { ... }           testing::internal::MakeAndRegisterTestInfo(...)
///     TEST_CASE("adds") { ... }           Catch::AutoReg, doctest::detail::regTest(...)
///     BOOST_AUTO_TEST_CASE(adds) { ... }  boost::unit_test::ut_detail::auto_test_unit_registrar
///
/// Such an initialiser concerns the test that it makes known, and no other. One that calls a
/// function of the project on the way (a name made at run time), or that a user's own macro has
/// written without one of the framework's, is not of this kind.
///
/// The answer is Function::registeredTest: the name of the test as the framework gives it
/// ("Suite.adds", "adds", "suite/adds"), or kManyTests for what makes several known (parameters,
/// types, data), or makes the name at run time. Nothing: the variable is no registration.
std::optional<std::string> testRegistration(UnitContext &unit, const clang::VarDecl *variable);

} // namespace retest
