#pragma once

#include "cov/coverage_matrix.h"
#include "tests/notation/program.h"

#include <llvm/ADT/StringSet.h>

#include <string>

namespace retest {

/// Units as in RecordedByHand, linked.
Project linkedByHand(llvm::ArrayRef<UnitText> units, llvm::StringRef plan, Names &names);
/// The matrix of tests as in RecordedByHand.
CoverageMatrix matrixByHand(const Project &project, const Names &names, llvm::StringRef tests,
                            const llvm::StringSet<> &unemitted = {});

/// The matrix of tests that say themselves what they did, one on each line:
///
///     tool::a: main()* + f()#1      test a of program tool: all edges of main(), edge 1 of f()
///     tool::b: f()                  entered f(), and went no further
///     tool::c! main()*              was not measured, whatever its counters say
///
/// Units are those of tests/notation/program.h, and
///
///     implicit A::A(): in -> out    a function that the compiler wrote
///     constexpr f(): in -> out      one that it may run itself
///     in place A::A(): in -> out    one that it wrote and never calls
///     unemitted f(): in -> out      one of which it says that it made no code
///     variable v: make A            an object that is there before anything runs
///
/// Functions named as constructors are that, and those that a class lists are virtual. Weak
/// functions stand in a header, so that units share them. External and implicit functions and
/// initialisers have no probes; a unit whose name begins with "uncounted" has no counters.
struct RecordedByHand {
  RecordedByHand(llvm::ArrayRef<UnitText> units, llvm::StringRef plan, llvm::StringRef tests);

  /// The tests that entered the function, or crossed this edge of it: "a b"; "-" if there are none.
  std::string who(llvm::StringRef function, int edge = -1) const;
  /// The tests that constructed the class, in the same way.
  std::string makers(llvm::StringRef type) const;
  bool hasRow(llvm::StringRef function) const { return rowOf(function) != nullptr; }

  Names names;
  Project project;
  CoverageMatrix matrix;

private:
  const FunctionCoverage *rowOf(llvm::StringRef function) const;
  std::string show(CoverageClassId id) const;
};

} // namespace retest
