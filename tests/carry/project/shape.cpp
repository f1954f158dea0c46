#include "shape.h"

#include "vendor.h"

#include <stdexcept>
#include <string>

namespace {

int doubled(int number) { return number * 2; }

struct Guard {
  explicit Guard(int &count) : count(count) {}
  ~Guard() { ++count; }
  int &count;
};

int mayThrow(int number) {
  if (number > 10)
    throw std::runtime_error("too large");
  return number;
}

} // namespace

int total(const Shape &shape) { return atLeastZero(shape.area()); }

int note(int kind) { return kind; }

int classify(int number) {
  int kind = 0;
  if (number < 0)
    kind = 1;
  else if (number == 0)
    kind = 2;
  note(kind);
  return doubled(kind);
}

int guarded(int number) {
  int count = 0;
  try {
    Guard guard(count);
    std::string text(static_cast<unsigned>(mayThrow(number)), 'x');
    return vendorClamp(static_cast<int>(text.size()));
  } catch (const std::exception &) {
    return -count;
  }
}
