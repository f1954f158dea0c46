// The paper's internal calls. The call has an edge for each class of `p`: A and B lead to A::m, C
// to C::m. No edit touches it.
#include "bar.h"

int bar(A &p) { return p.m(); }
