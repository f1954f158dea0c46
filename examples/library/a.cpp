#include "a.h"

int A::m() { return 1; }
int A::foo() { return 1; }
int A::bar() { return 1; }

int fooOf(A &a) { return a.foo(); }
int barOf(A &a) { return a.bar(); }
