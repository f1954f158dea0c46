#include "code.h"

int hot(int a) { return a + 1; }

int cold(int a) { return a + 1; }
