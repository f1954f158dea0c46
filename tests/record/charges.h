#pragma once

#include "tests/record/recorded_copy.h"

namespace retest {

/// What the tests of each framework in `project` do is charged to them, in a baseline.
void checkCharges(const RecordedCopy &copy, const std::string &baseline);

/// Two recordings of a project found the same: probe by probe, and for each test.
void checkSameMatrix(const RecordedCopy &copy, const std::string &first, const std::string &second);

/// The files of the project that a test used.
std::string filesOf(const RecordedTest &test);

} // namespace retest
