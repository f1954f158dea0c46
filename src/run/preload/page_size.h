#pragma once

#include <cstddef>
#include <unistd.h>

namespace retest::preload {

inline std::size_t pageSize() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

} // namespace retest::preload
