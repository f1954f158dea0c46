#pragma once

#include "cov/coverage_matrix.h"
#include "tests/db/sample_units.h"

namespace retest {

/// A random matrix over all functions of the units: `count` tests, of which each tenth was not
/// measured, with files that most have in common.
CoverageMatrix sampleMatrix(const SampleUnits &units, unsigned count, unsigned seed = 1);

/// The whole matrix of a stored baseline, or the message of the error.
struct LoadedMatrix {
  CoverageMatrix matrix;
  std::string message;
};
LoadedMatrix loadedMatrix(Store &store, const std::string &baseline);

} // namespace retest
