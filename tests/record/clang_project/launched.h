#pragma once
[[gnu::noinline]] inline int shared() { return 0; }
int launched();
