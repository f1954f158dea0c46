#include "habits.h"

// Has a copy of its own, which nobody calls.
__attribute__((always_inline)) int always(int n) {
  if (n > 1)
    return n * 3;
  return n;
}

int inlined(int n) { return always(n + 1); }
