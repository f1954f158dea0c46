#include "launched.h"
int main(int count, char **) { return launched() + (count > 5 ? shared() : 0); }
