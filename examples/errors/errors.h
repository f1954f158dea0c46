#pragma once

#include <string>

struct Error {
  std::string text;
};
struct ParseError : Error {};

/// Writes to a log when its life ends, so that the order of destruction shows.
struct Trace {
  Trace(std::string name, std::string &log) : name(std::move(name)), log(log) {}
  Trace(const Trace &) = delete;
  ~Trace() { log += name; }
  std::string name;
  std::string &log;
};

/// A digit's value. Throws ParseError if it is none, and Error if it is 9, past two live objects.
int digit(char c, std::string &log);

/// digit, or -1 for a ParseError, or -2 for any other Error. Everything else passes on.
int digitOrCode(char c, std::string &log);

/// digit, where no exception may get out.
int sureDigit(char c, std::string &log) noexcept;
