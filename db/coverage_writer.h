#pragma once

#include "cov/coverage_matrix.h"
#include "db/connection.h"

namespace retest {

/// Adds the coverage matrix of a baseline whose units are stored. Inside a write transaction. A
/// matrix that is not valid, or names units and functions that the baseline does not have, is
/// refused.
llvm::Error saveCoverage(Connection &connection, std::int64_t baseline,
                         const CoverageMatrix &matrix);

} // namespace retest
