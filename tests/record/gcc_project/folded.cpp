#include "habits.h"

// GCC evaluates a call with constants itself, also without optimisation.
constexpr int twice(int n) { return n * 2; }

int folded() {
  int n = twice(2);
  return n;
}

int computed(int n) { return twice(n); }
