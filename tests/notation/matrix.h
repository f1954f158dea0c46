#pragma once

#include "cov/coverage_matrix.h"
#include "graph/unit_record.h"

namespace retest {

/// A matrix over the functions of some units (sorted by name), one test on each line:
///
///     calc_test::Add.Small: twice(int) + twice(int)#1     entered, and crossed edge 1
///     script: main* + makes Square                        all edges; constructed a Square
///     calc_test::Add.Slow! it timed out                   not measured
///
/// A test without "::" is a plain CTest entry. A function is that of the first unit that has one of
/// this name.
CoverageMatrix matrix(llvm::StringRef text, const std::vector<UnitRecord> &units,
                      const Names &names);

} // namespace retest
