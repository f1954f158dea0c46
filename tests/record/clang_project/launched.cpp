#include "launched.h"
int launched() { return shared(); }
