#pragma once

#include <string>

/// Tells that a test runs, and what it calls, in the file that RETEST_RAN names.
void tell(const std::string &program, const std::string &test, bool isHot);
