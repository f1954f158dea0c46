#include "shape.h"

#include <cstdio>

namespace {

bool nothing() { return totalArea({}) == 0; }

bool squares() {
  Square small(1), large(3);
  return totalArea({&small, &large}) == 10 && describe(small) == "square is a shape";
}

bool circles() {
  Circle circle(2);
  return totalArea({&circle}) == 12 && describe(circle) == "shape is a shape";
}

bool mixed() {
  Shape shape;
  Square square(2);
  Circle circle(1);
  return totalArea({&shape, &square, &circle}) == 7;
}

} // namespace

int main(int argc, char **argv) {
  const std::string test = argc == 2 ? argv[1] : "";
  if (test == "nothing")
    return nothing() ? 0 : 1;
  if (test == "squares")
    return squares() ? 0 : 1;
  if (test == "circles")
    return circles() ? 0 : 1;
  if (test == "mixed")
    return mixed() ? 0 : 1;
  std::fprintf(stderr, "usage: shapes_test nothing|squares|circles|mixed\n");
  return 2;
}
