// Marks of generated programs. Without TRACE, as retest reads them, they are nothing.
//
//   FUNC   first in the body of a function, on the line of its name
//   MARK   before a statement
//   MARKX  before an expression
//
// With TRACE, each step from one marked line to the next within one call of a function is written
// once, as "file:line file:line", to the file that the environment names in TRACE_FILE. The last
// step of a call leads to "exit", or to "raise" if an exception leaves the function. Written at
// once, so that nothing is lost when the program dies.
#pragma once

extern "C" int dprintf(int, const char *, ...);

/// What a program does that can be seen from outside.
inline void out(unsigned x) { dprintf(1, "%u\n", x); }

#ifndef TRACE
#define FUNC
#define MARK
#define MARKX
#else
// Declared by hand: no header, so that each of some thousand builds is quick.
extern "C" char *getenv(const char *);
extern "C" int open(const char *, int, ...);
namespace std {
int uncaught_exceptions() noexcept;
}

namespace trace {

struct Frame;
inline Frame *top = nullptr;

inline void step(const char *fromFile, int fromLine, const char *toFile, int toLine) {
  struct Step {
    const char *fromFile, *toFile;
    int fromLine, toLine;
  };
  static constexpr unsigned kSteps = 1 << 14;
  static Step seen[kSteps];
  static int file = open(getenv("TRACE_FILE"), 02101 /* write, create, append */, 0666);
  unsigned slot = unsigned(fromLine * 131 + toLine) % kSteps;
  for (unsigned i = 0; i < 64 && seen[slot].toFile; ++i, slot = (slot + 1) % kSteps)
    if (seen[slot].fromFile == fromFile && seen[slot].toFile == toFile &&
        seen[slot].fromLine == fromLine && seen[slot].toLine == toLine)
      return;
  seen[slot] = {fromFile, toFile, fromLine, toLine};
  dprintf(file, "%s:%d %s:%d\n", fromFile, fromLine, toFile, toLine);
}

/// One call of a function.
struct Frame {
  const char *file;
  int line;
  int exceptions = 0;
  Frame *outer = nullptr;

  constexpr Frame(const char *file, int line) : file(file), line(line) {
    if (!__builtin_is_constant_evaluated())
      enter();
  }
  constexpr ~Frame() {
    if (!__builtin_is_constant_evaluated())
      leave();
  }

  void enter() {
    outer = top;
    top = this;
    exceptions = std::uncaught_exceptions();
    step("entry", 0, file, line);
  }
  void leave() {
    step(file, line, std::uncaught_exceptions() > exceptions ? "raise" : "exit", 0);
    top = outer;
  }
};

inline void mark(const char *file, int line) {
  if (!top)
    return; // an initialiser: it runs always
  step(top->file, top->line, file, line);
  top->file = file;
  top->line = line;
}

constexpr void markHere(const char *file, int line) {
  if (!__builtin_is_constant_evaluated())
    mark(file, line);
}

} // namespace trace

#define FUNC ::trace::Frame traceFrame(__FILE_NAME__, __LINE__);
#define MARK ::trace::markHere(__FILE_NAME__, __LINE__);
#define MARKX ::trace::markHere(__FILE_NAME__, __LINE__),
#endif
