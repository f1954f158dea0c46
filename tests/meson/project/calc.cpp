#include "calc.h"

int add(int a, int b) { return a + b; }

int negated(int a) { return -a; }
