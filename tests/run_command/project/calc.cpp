#include "calc.h"

int add(int a, int b) {
  if (a < 0)
    return b + a;
  return a + b;
}

int subtract(int a, int b) { return a - b; }

int half(int a) {
  if (a == 5)
    return 2;
  return a / 2;
}
