#pragma once

#include "cov/coverage_matrix.h"
#include "report/delta_words.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Error.h>

namespace retest {

/// The matrix of a case's `coverage` section, one test on each line:
///
///     sums_squares: total Shape::area makes:Square    went every way through two functions
///     tool::adds: add`a < 0 -T-> b + a`               a test of program tool; it took this way
///     tool::enters: add``                             entered it, and crossed no edge
///     slow! it timed out                              was not measured
///
/// A function goes by its name, with or without parameters; edges have the words of `dangerous`. A
/// test without a program runs all of them. What follows for functions without probes, and which
/// objects were made, is found as in a recording; `makes:` adds to that what the functions named do
/// not show.
llvm::Expected<CoverageMatrix> coverageOf(llvm::ArrayRef<std::string> lines, const DeltaView &view);

/// "tool::adds": a test as `coverage` and `expect` write it.
std::string caseNameOf(const RecordedTest &test);

} // namespace retest
