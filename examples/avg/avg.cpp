// The example of "Regression Test Selection for Java Software" (Harrold et al., 2001). The
// numbers are those of its statements.
#include "avg.h"

namespace {

/// False at the end of the file; what has no room any more is not read.
bool readNumber(std::FILE *file, int count, int &n) {
  return count < kMostNumbers && std::fscanf(file, "%d", &n) == 1;
}

int mean(const int *nums, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += nums[i];
  return count == 0 ? 0 : sum / count;
}

} // namespace

int avg(std::FILE *file) {
  int nums[kMostNumbers] = {};
  int n = 0;
  int count = 0;                          // 1
  bool more = readNumber(file, count, n); // 2
  while (more) {                          // 3
    if (n < 0)                            // 4
      return kError;                      // 5
    nums[count] = n;                      // 6
    count++;                              // 7
    more = readNumber(file, count, n);    // 8
  }
  int average = mean(nums, count); // 9
  return average;                  // 10
}
