#pragma once

#include "db/store.h"

#include <deque>

namespace retest {

/// How large a suite is that is made up for measuring.
struct SuiteShape {
  const char *name;
  unsigned tests, units, functionsPerUnit, edgesPerFunction;
  double covered;    ///< share of the functions that some test enters
  unsigned perTest;  ///< functions of its own that a test enters, with neighbours
  unsigned ownFiles; ///< files that a test alone uses
  unsigned branches; ///< each so-manieth function has a branch
};

/// Units with functions whose flow is a ring of so many edges.
std::deque<UnitRecord> madeUpUnits(const SuiteShape &shape, Names &names);

/// Each test enters functions near a place of its own, and some that many share; of a function that
/// it enters it crosses most edges, and each test misses others.
CoverageMatrix madeUpMatrix(const SuiteShape &shape, const std::deque<UnitRecord> &units);

} // namespace retest
