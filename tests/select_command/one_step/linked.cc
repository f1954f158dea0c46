#include "untold_linked.h"
int linked() { return value(); }
