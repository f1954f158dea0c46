#include "calc.h"

int plus(int a, int b) { return a + b; }
int minus(int a, int b) { return a - b; }
