#include "shape.h"

int main(int count, char **) { return count > 1 ? total(Square(0)) : 0; }
