#include "calc.h"

#include <cstdlib>

int main(int, char **arguments) {
  int number = std::atoi(arguments[1]);
  return half(number) == number / 2 ? 0 : 1;
}
