#pragma once

#include "run/environment_part.h"
#include "run/recorded_test.h"
#include "support/ids.h"

#include <string>
#include <vector>

namespace retest {

struct TestTag;
/// Index in CoverageMatrix::tests.
using TestId = Id<TestTag>;
struct CoverageClassTag;
/// Index in CoverageMatrix::classes.
using CoverageClassId = Id<CoverageClassTag>;

/// Which tests may have reached what of one function.
///
/// Probes are the edges of the function's own flow graph, not counters: the witness of each edge
/// was evaluated while recording, so the matrix is the same whatever counted. A node was reached by
/// the tests of the edges that lead to it.
struct FunctionCoverage {
  CoverageClassId entry;              ///< the function was called
  std::vector<CoverageClassId> edges; ///< by index in FlowGraph::edges

  auto operator<=>(const FunctionCoverage &) const = default;
};

/// The functions of one unit. A function that several units share (see Project) is only in the
/// first of them by name.
struct UnitCoverage {
  std::string unit;
  std::vector<std::uint32_t> functions; ///< places in ProjectUnit::functions, ascending
  std::vector<FunctionCoverage> rows;   ///< of these, in the same order
  /// Places of the functions with counters, in whatever binary; ascending. The rows of the others
  /// follow from those of their callers.
  std::vector<std::uint32_t> counted;

  auto operator<=>(const UnitCoverage &) const = default;
};

/// Which tests made complete objects of a class.
struct ClassCoverage {
  std::string name; ///< classes of internal linkage with the same name count as one
  CoverageClassId constructed;

  auto operator<=>(const ClassCoverage &) const = default;
};

/// Which test reached which probe, from one recorded run of the whole suite.
///
/// Most probes share their tests with many others, so each distinct set of tests is kept once, as a
/// coverage class. Class 0 is the empty one. What is not in the matrix was reached by no test.
///
/// That a test is not in a class means: it ran to its end and did not reach the probe. A test that
/// was not measured is in no class at all; RecordedTest::unmeasured says why.
struct CoverageMatrix {
  std::vector<RecordedTest> tests;                 ///< sorted by (binary, name)
  std::vector<std::vector<TestId>> classes = {{}}; ///< each sorted
  std::vector<UnitCoverage> units;          ///< sorted by name; without rows and counters: left out
  std::vector<ClassCoverage> constructed;   ///< sorted by name
  std::vector<EnvironmentPart> environment; ///< sorted by (binary, what); each once

  auto operator<=>(const CoverageMatrix &) const = default;
};

} // namespace retest
