#include "shapes.h"

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

static int atStart = sumTo(3);

static int attempt(int n) {
  try {
    try {
      return risky(n);
    } catch (char) {
      return -1;
    }
  } catch (int) {
    return -2;
  }
}

static void leave(int n) {
  Square square;
  if (n == 6)
    std::exit(0);
}

int main(int count, char **arguments) {
  int n = count > 1 ? std::atoi(arguments[1]) : 0;
  std::vector<std::string> words = {"one", "two"};
  for (const std::string &word : words)
    n += word.size() == 4;
  std::function<int(int)> twice = [](int x) { return x > 2 ? x * 2 : x; };
  Shape *shape = n % 2 ? new Square : new Shape;
  int result = attempt(n) + chosen(n) + twice(n) + shape->area() + clamp(2.5, 1.0) + atStart;
  delete shape;
  leave(n);
  return result == 12345;
}
