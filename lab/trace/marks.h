#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace retest {

/// A place where an instrumented program tells that it was there.
struct Mark {
  enum class Kind {
    Entry,  ///< first in the body of a function
    Catch,  ///< first in the body of a handler
    Side,   ///< around a condition, or an operand of && or ||: tells its value
    Choice, ///< around what a switch chooses by: tells its value
    True,   ///< first in what runs if a condition that cannot be wrapped holds
    False,  ///< and if it does not
  };
  /// How it is written. A wrapped expression has two insertions, all others one.
  enum class Form { Wrap, AfterBrace, BeforeStatement };

  /// Of the first and of the last token.
  struct Place {
    unsigned line, column, endLine, endColumn;
    auto operator<=>(const Place &) const = default;
  };

  unsigned begin, end; ///< offsets in the file; both the same unless wrapped
  Kind kind;
  Form form;
  bool isLogical = false;  ///< of a Side: the whole of a && or ||, or an operand of one
  unsigned operatorAt = 0; ///< of an operand of && or ||: where the operator is
  Place place;             ///< of what is marked, in the file as it was
  Place outer;             ///< the same with parentheses around it

  auto operator<=>(const Mark &) const = default;
};

using MarksOfFile = std::vector<Mark>;

/// Sorted, each once; of two wrapped expressions that overlap without one being inside the other
/// (a file that units read differently) only the first.
MarksOfFile cleaned(MarksOfFile marks);

/// The text with all marks written in, numbered from `first` on; as many lines as before.
std::string withMarks(const std::string &text, const MarksOfFile &marks, unsigned first);

} // namespace retest
