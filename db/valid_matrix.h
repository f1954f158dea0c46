#pragma once

#include "cov/coverage_matrix.h"

#include <llvm/Support/Error.h>

namespace retest {

/// An error unless the matrix keeps what its types promise: everything sorted and once, class 0
/// empty, only numbers of tests and classes that are there, and no unmeasured test in a class. A
/// wrong number would charge the coverage of one test to another.
llvm::Error validate(const CoverageMatrix &matrix);

} // namespace retest
