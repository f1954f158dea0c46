#pragma once

#include <cstdio>

constexpr int kError = -1;
constexpr int kMostNumbers = 100;

/// The average of the numbers in a file: 0 if it is empty, kError if one is negative.
int avg(std::FILE *file);
