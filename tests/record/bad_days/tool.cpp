#include "habits.h"

int main(int, char **arguments) {
  std::string way = arguments[1];
  if (way == "good")
    return good(1) == 1 ? 0 : 1;
  return doOdd(way) ? 0 : 1;
}
