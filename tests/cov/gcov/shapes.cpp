#include "shapes.h"

struct Guard {
  int &count;
  ~Guard() { ++count; }
};

static int guarded = 0;

int risky(int n) {
  Guard guard{guarded};
  if (n == 3)
    throw n;
  if (n == 4)
    throw 'c';
  return clamp(n, 10);
}

int chosen(int n) {
  switch (n) {
  case 0:
  case 1:
    return sumTo(n);
  case 2:
    n = clamp(n, 1);
    break;
  case 5:
    goto far;
  default:
    n = n && clamp(n, 3) ? 1 : guarded;
  }
  do {
    --n;
  } while (n > 0);
  return n;
far:
  return sumTo(100);
}
