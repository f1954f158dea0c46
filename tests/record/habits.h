#pragma once

#include "tests/record/recorded_copy.h"

namespace retest {

/// The project with tests of each framework, recorded once for all test cases of a program.
inline const RecordedCopy &habits() {
  static const RecordedCopy copy(RECORD_PROJECT);
  return copy;
}

} // namespace retest
