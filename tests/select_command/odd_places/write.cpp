#include <iostream>

int main() { std::cout << "made\n"; }
