#include "stamp.h"

int main() { return 0; }
