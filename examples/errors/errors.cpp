#include "errors.h"

int digit(char c, std::string &log) {
  Trace outer("outer ", log);
  Trace inner("inner ", log);
  if (c == '!')
    throw 1;
  if (c < '0' || c > '9')
    throw ParseError{{"not a digit"}};
  if (c == '9')
    throw Error{"too large"};
  return c - '0';
}

int digitOrCode(char c, std::string &log) {
  try {
    return digit(c, log);
  } catch (const ParseError &) { // the derived class first: the second would take it too
    log += "parse error";
    return -1;
  } catch (const Error &) {
    log += "error";
    return -2;
  }
}

int sureDigit(char c, std::string &log) noexcept { return digit(c, log); }
