#include "calc.h"

int add(int a, int b) {
  if (a < 0)
    return b + a;
  return a + b;
}

int subtract(int a, int b) { return a - b; }
