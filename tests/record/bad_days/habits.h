#pragma once

#include <string>

int good(int value);
/// What a test does that does not behave; false: there is no such habit.
bool doOdd(const std::string &way);
