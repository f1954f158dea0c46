#include "shape.h"

int plugged(int number) {
  if (number > 1)
    return atLeastZero(number);
  return 1;
}
