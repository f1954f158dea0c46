#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <map>
#include <string>
#include <vector>

namespace retest {

/// One version of the project of a case.
struct CaseVersion {
  std::map<std::string, std::string> files;              ///< by name; "../x.h" is external
  std::map<std::string, std::vector<std::string>> flags; ///< by unit; "" for all units
  std::string link;                                      ///< as programPlan of tests/notation
};

/// A golden case: two versions of a small project and what must come of it.
///
///     # A new override is reached from a caller that was not edited.
///     -- both: shape.h --
///     struct Shape { virtual int area() { return 0; } };
///     -- baseline: square.h --
///     -- current: square.h --
///     -- dangerous --
///     total(Shape &): s.area() -Square-> Shape::area()
///
/// Files that end in .cpp or .c are units. Sections with another word than a file's name:
///
///     -- both flags --              flags of all units, on one line
///     -- current flags: a.cpp --    of one unit
///     -- baseline link --           what is linked: "tool = main.cpp util.a ; util.a = a.cpp"
///     -- dangerous --               the dangerous edges, one on each line; may be empty
///     -- doubts --                  what could not be known, one on each line
///     -- coverage --                what tests reach (case_coverage.h), one on each line
///     -- expect --                  what becomes of them, one on each line
///
/// A line of `dangerous` may end in two blanks and the reason in parentheses; it is compared if it
/// is there. A line of `expect` is a verdict and a test, and may end in two blanks and words for
/// the reader; `new` names a test that the current source makes known, `uncovered` a dangerous edge
/// that no test crosses:
///
///     select sums_squares   total may now call Square::area
///     skip sums_shapes      makes no Square
///     uncovered total(Shape &): s.area() -Cube-> Shape::area()
struct CaseFile {
  std::string name; ///< the claim, from the name of the file
  std::string claim;
  CaseVersion baseline, current;
  std::vector<std::string> dangerous, doubts, coverage, expect;
  bool expectsDoubts = false;
};

llvm::Expected<CaseFile> readCase(const std::string &path);

} // namespace retest
