// The paper's calls from external code. Nothing in the project calls these: the library does.
#include "classes.h"

int B::foo() { return 2; }

int C::bar() { return 3; }
