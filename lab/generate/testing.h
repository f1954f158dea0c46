// What the tests of generated projects use. Declared by hand: no header, so that each unit is
// quick.
#pragma once

#include "trace.h"

extern "C" int open(const char *, int, ...);
extern "C" long read(int, void *, unsigned long);
extern "C" int close(int);
extern "C" char *getenv(const char *);

/// A number for what a file has inside; another one if it is not there.
inline unsigned readFile(const char *path) {
  int file = open(path, 0);
  if (file < 0)
    return 99999u;
  unsigned sum = 0u;
  unsigned char c;
  while (read(file, &c, 1) == 1)
    sum = sum * 7u + c;
  close(file);
  return sum % 10000u;
}

/// The number that a variable of the environment or an argument holds.
inline unsigned number(const char *text) {
  unsigned n = 0u;
  for (; text && *text >= '0' && *text <= '9'; ++text)
    n = n * 10u + unsigned(*text - '0');
  return n;
}

inline unsigned mode() { return number(getenv("MODE")); }

/// The second argument of a test program.
inline unsigned input = 0u;

inline bool same(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}

/// The exit code of a test, which has to come to what is expected.
inline int judge(unsigned (*test)(), unsigned expected) {
  unsigned result = 0u;
  try {
    result = test();
  } catch (unsigned e) {
    out(e);
    result = e + 1000u;
  } catch (...) {
    result = 4u;
  }
  dprintf(1, "result %u\n", result);
  return result == expected ? 0 : 1;
}
