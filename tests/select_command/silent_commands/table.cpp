#include <cstdio>

int main() { std::puts("good"); }
