#include "shape.h"

int applied(int number) {
  auto twice = [](int value) { return value > 5 ? value : value * 2; };
  return twice(number);
}

int tailed(int number) {
  if (number < 0)
    note(1);
  else
    note(2);
  return note(3);
}

int unused(int number) { return number; }
