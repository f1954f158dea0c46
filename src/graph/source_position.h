#pragma once

#include "graph/names.h"

#include <compare>
#include <cstdint>

namespace retest {

/// A place in a file of the project. Kept beside the graph, never inside a fingerprint.
///
/// `file` is relative to the project root ("src/lib.cpp"); files of a build directory outside
/// the root start with "<build>/", all others keep their absolute path. Lines and columns
/// start at 1 as Clang counts them; line 0 means "no position".
struct SourcePosition {
  NameId file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool isKnown() const { return line != 0; }
  auto operator<=>(const SourcePosition &) const = default;
};

/// From the first character of the first token to the first character of the last one.
struct SourceRange {
  SourcePosition begin;
  SourcePosition end;

  bool isOnLine(NameId file, std::uint32_t line) const {
    return begin.isKnown() && begin.file == file && begin.line <= line &&
           line <= (end.file == file ? end.line : begin.line);
  }

  auto operator<=>(const SourceRange &) const = default;
};

} // namespace retest
