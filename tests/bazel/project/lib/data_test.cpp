#include "calc.h"

int main() { return plus(2, 2) == 4 ? 0 : 1; }
