#include "shape.h"

double Circle::area() const { return 3 * radius * radius; } // close enough for an example
