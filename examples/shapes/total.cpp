#include "shape.h"

double totalArea(const std::vector<const Shape *> &shapes) {
  double total = 0;
  for (const Shape *shape : shapes)
    total += shape->area();
  return total;
}

std::string describe(const Shape &shape) {
  // A qualified call is not virtual.
  return shape.name() + " is a " + shape.Shape::name();
}
