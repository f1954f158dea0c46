#include "habits.h"

template struct Holder<int>;

void holdExplicitly() { Holder<int> holder; }
