#pragma once

#include "cov/coverage_matrix.h"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace retest {

enum class Verdict : std::uint8_t {
  Skipped,    ///< proven: it meets nothing but code and files of the same meaning
  Affected,   ///< it crossed a dangerous edge, or used a file that changed
  Doubt,      ///< something that could not be known speaks for it, and nothing else does
  Unmeasured, ///< what it reaches is not known (S3)
  Failed,     ///< it failed last time
  Always,     ///< the configuration wants it
  New,        ///< it was not there when the baseline was recorded
  Disabled,   ///< its project does not run it; nobody says that it may be skipped if it did
};

/// What speaks for a test.
enum class TestReasonKind : std::uint8_t {
  Edge,         ///< Delta::edges
  ClassEntry,   ///< Delta::classEntries
  Program,      ///< Delta::programs
  File,         ///< SelectInput::files
  Writer,       ///< the test of this number is selected, and writes what this one reads
  Settings,     ///< it is run in another way: command, environment, properties of CTest
  Environment,  ///< SelectInput::environment
  Registration, ///< RegisteredTests::changes
  Unmeasured,   ///< RecordedTest::unmeasured
  Failed,       ///< RecordedTest::status
  Always,
  Trigger,    ///< SelectInput::triggered
  Quarantine, ///< SelectInput::quarantined
};

struct TestReason {
  TestReasonKind kind = TestReasonKind::Edge;
  std::uint32_t index = 0; ///< in the list that the kind names

  auto operator<=>(const TestReason &) const = default;
};

struct TestVerdict {
  Verdict verdict = Verdict::Skipped;
  std::vector<TestReason> reasons; ///< sorted; all that speak for it
  /// Of a skipped test: dangerous edges that it came near, by index in Delta::edges. It entered the
  /// function and went another way. A few of them, sorted.
  std::vector<std::uint32_t> near = {};

  auto operator<=>(const TestVerdict &) const = default;
};

/// A verdict and its reasons for every recorded test.
struct Selection {
  std::vector<TestVerdict> tests; ///< by TestId
  /// Dangerous edges, by index in Delta::edges, that no recorded test crossed.
  std::vector<std::uint32_t> uncovered;

  auto operator<=>(const Selection &) const = default;
};

} // namespace retest
