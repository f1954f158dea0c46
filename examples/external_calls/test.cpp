#include "classes.h"

#include <cstdio>
#include <string>

namespace {

bool barOfA() {
  A a;
  return barOf(a) == 1;
}

bool fooOfB() {
  B b;
  return fooOf(b) == 2;
}

bool barOfB() {
  B b;
  return barOf(b) == 1;
}

bool fooOfC() {
  C c;
  return fooOf(c) == 2;
}

bool barOfC() {
  C c;
  return barOf(c) == 3;
}

} // namespace

int main(int argc, char **argv) {
  const std::string test = argc == 2 ? argv[1] : "";
  if (test == "bar_of_a")
    return barOfA() ? 0 : 1;
  if (test == "foo_of_b")
    return fooOfB() ? 0 : 1;
  if (test == "bar_of_b")
    return barOfB() ? 0 : 1;
  if (test == "foo_of_c")
    return fooOfC() ? 0 : 1;
  if (test == "bar_of_c")
    return barOfC() ? 0 : 1;
  std::fprintf(stderr, "usage: external_calls bar_of_a|foo_of_b|bar_of_b|foo_of_c|bar_of_c\n");
  return 2;
}
