#pragma once

#include "cov/coverage_matrix.h"
#include "diff/delta.h"

#include <llvm/ADT/ArrayRef.h>

namespace retest {

/// A test that a program makes known, and that was not recorded.
struct NewTest {
  std::string binary; ///< empty: a plain CTest entry
  std::string name;
  std::string path; ///< where it is written; empty: not known
  std::uint32_t line = 0;

  auto operator<=>(const NewTest &) const = default;
};

/// A program that makes other tests known than it did.
struct RegistrationChange {
  std::string binary;
  /// Tests that it makes known in another way, or no longer; and those that run the program as a
  /// whole: their outcome is that of all tests in it. Sorted.
  std::vector<TestId> tests;
  /// Where tests are made known of which only the built program can say how many there are, and how
  /// they are called; sorted.
  std::vector<SourcePosition> unnamed;

  auto operator<=>(const RegistrationChange &) const = default;
};

struct RegisteredTests {
  std::vector<NewTest> added;              ///< sorted
  std::vector<RegistrationChange> changes; ///< by binary
  /// Programs in which some registration is another one, by name; sorted. A test of a known name
  /// may be in another suite now, or need another test.
  std::vector<std::string> reregistered = {};

  auto operator<=>(const RegisteredTests &) const = default;
};

/// What the registrations of tests (Function::registeredTest) in changed units say.
///
///     TEST(Suite, adds)           a name that was not recorded is a new test
///     INSTANTIATE_TEST_SUITE_P    one that was added or changed may be any number of tests
RegisteredTests registeredTests(const Delta &delta, const Project &baseline, const Project &current,
                                const Names &names, llvm::ArrayRef<RecordedTest> tests);

} // namespace retest
