#include <cstdio>

int main() { std::puts("same"); }
