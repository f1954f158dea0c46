#include "habits.h"
#include "inlined.h"

int listed() { return inlined(); }
