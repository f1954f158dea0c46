#include "habits.h"

int versioned(int n) { return n + 4; }
