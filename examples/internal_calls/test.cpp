#include "bar.h"

#include <cstdio>
#include <string>

namespace {

bool callsA() {
  A a;
  return bar(a) == 1;
}

bool callsB() {
  B b;
  return bar(b) == 1;
}

bool callsC() {
  C c;
  return bar(c) == 3;
}

} // namespace

int main(int argc, char **argv) {
  const std::string test = argc == 2 ? argv[1] : "";
  if (test == "calls_a")
    return callsA() ? 0 : 1;
  if (test == "calls_b")
    return callsB() ? 0 : 1;
  if (test == "calls_c")
    return callsC() ? 0 : 1;
  std::fprintf(stderr, "usage: internal_calls calls_a|calls_b|calls_c\n");
  return 2;
}
