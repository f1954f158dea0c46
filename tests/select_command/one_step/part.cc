#include "untold_part.h"
int part() { return value(); }
