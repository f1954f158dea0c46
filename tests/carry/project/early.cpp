#include "shape.h"

static int start() {
  int sum = 0;
  for (int i = 0; i < 3; ++i)
    sum += i == 0 ? 1 : i;
  return sum;
}

static const int kStart = start();

int started() { return kStart; }
