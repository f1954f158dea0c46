#include "errors.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

bool gives(char c, int expected, const char *expectedLog) {
  std::string log;
  return digitOrCode(c, log) == expected && log == expectedLog;
}

bool passesOn() {
  std::string log;
  try {
    digitOrCode('!', log);
  } catch (int) {
    return log == "inner outer ";
  }
  return false;
}

} // namespace

int main(int argc, char **argv) {
  const std::string test = argc == 2 ? argv[1] : "";
  std::string log;
  if (test == "fine")
    return gives('7', 7, "inner outer ") && sureDigit('3', log) == 3 ? 0 : 1;
  if (test == "parse_error")
    return gives('x', -1, "inner outer parse error") ? 0 : 1;
  if (test == "other_error")
    return gives('9', -2, "inner outer error") ? 0 : 1;
  if (test == "passes_on")
    return passesOn() ? 0 : 1;
  if (test == "terminates") {
    std::set_terminate([] { std::_Exit(0); });
    sureDigit('x', log);
    return 1; // the exception was lost
  }
  std::fprintf(stderr, "usage: errors fine|parse_error|other_error|passes_on|terminates\n");
  return 2;
}
