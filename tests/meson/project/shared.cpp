#include "shared.h"

#include "calc.h"
#include "version.h"

int minus(int a, int b) { return add(a, negated(b)); }

int shared() { return version(); }
