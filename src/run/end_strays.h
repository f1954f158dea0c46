#pragma once

#include <string>

namespace retest {

/// Ends processes that a test has left behind outside of its group: daemons. They are known by
/// their environment, in which the directory for counter files is one below `directory`. Returns
/// how many.
unsigned endStrays(const std::string &directory);

} // namespace retest
