#include "shared.h"

int answer() { return 42; }
