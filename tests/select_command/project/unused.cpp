#include "calc.h"

int unused(int a) { return a; }
