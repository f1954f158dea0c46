#pragma once

#include "build/made_files.h"

namespace retest {

/// Reads what CMake or Meson wrote for ninja: what the project's own commands make, and with what.
void readNinjaFiles(const std::string &buildDirectory, MadeFiles &made);

} // namespace retest
