#pragma once

#include "run/native_test.h"
#include "run/test_framework.h"

#include <llvm/ADT/ArrayRef.h>

#include <cstddef>
#include <string>
#include <vector>

namespace retest {

/// One start of a test program, or of CTest, with a filter.
struct RunnerStart {
  std::vector<std::string> arguments = {}; ///< none, and no file: everything runs
  /// What a file has to hold; empty: there is none. The start's last argument is the option with
  /// the file's path right behind it; the option may be empty.
  std::string file = {}, fileOption = {};
  /// As far as is known there is nothing left that this start could run. It is there for tests that
  /// nobody knows; that it runs none is no mistake.
  bool mayRunNothing = false;

  bool operator==(const RunnerStart &) const = default;
};

/// All arguments of a start whose file, if it has one, is at the path (an absolute one).
std::vector<std::string> argumentsOf(const RunnerStart &start, const std::string &path);

/// Include names the tests that are wanted: a test that is not in the list does not run.
/// Exclude names those that are not wanted: a test that is not in the list runs.
enum class FilterForm { Include, Exclude };

/// What tests may be called that are not in the list, in exclude form: no filter may exclude one.
/// (What has the whole name of a test in the list, and its suite, is that test.)
///
///                 Any: anything                   Distinct: anything, but not a name in the list
///     GoogleTest  -                               -
///     doctest     takes a start for each suite    in another suite; and before 2.4.9 no part of
///                 and excludes no name with       one between commas
///                 commas and backslashes
///     Catch2      excludes nothing                with letters of other case, other blanks around
///     Boost.Test  excludes nothing                as that of a suite, where a case was; and they
///                                                 do not depend on a test in the list
///
/// Distinct is for a list that the program itself was asked for, or all of its current source.
enum class Unlisted { Any, Distinct };

/// What makes a runner run a set of tests.
struct SuiteFilter {
  std::vector<RunnerStart> starts = {}; ///< all of them are needed; none: there is nothing to run
  /// Of the tests in the list, no other runs. Boost.Test may bring others along that `extra` does
  /// not have: what a test depends on.
  bool isExact = true;
  /// Tests that are not wanted and run too, by their index; sorted. The filter cannot tell them
  /// from others, there was no more room in it, or others need them.
  std::vector<std::size_t> extra = {};
  /// Tests that are wanted and do not run, by their index; sorted. They are disabled, which only
  /// the include form of a framework's own filter can change.
  std::vector<std::size_t> asleep = {};

  bool operator==(const SuiteFilter &) const = default;
};

/// The filter for the wanted tests of a program.
///
/// In include form a name that cannot be written exactly matches more, never less. Disabled tests
/// run if they are wanted, in a start of their own; others are not woken, unless their names cannot
/// be told from those. In exclude form they are left alone, and a name that cannot be written
/// exactly is not written: its test runs. Either way, what else runs is `extra`.
///
/// What it knows of Catch2 holds for its versions 2.13 and 3.
///
/// How much a filter holds, measured with names of 40 bytes, all tests but one in it:
///
///     GoogleTest  a file of any size          1.4 s for 500,000 names
///     Catch2      a file of any size          it compares each name with each test: for 2,000
///                                             0.4 s (exclude) and 0.9 s (include), for 10,000
///                                             12 s and 30 s (version 2)
///     doctest     two arguments of 100 KiB    0.4 s for 5,000 names
///     Boost.Test  ten arguments of 100 KiB    0.2 s for 40,000 names in suites of 100, 2 s for
///                                             20,000 in one suite
///
/// Past that, the include form takes more starts. There is no way to split the exclude form: what
/// does not fit is not written, so it runs.
SuiteFilter suiteFilter(Framework framework, llvm::ArrayRef<NativeTest> tests,
                        const std::vector<bool> &isWanted, FilterForm form,
                        Unlisted unlisted = Unlisted::Any);

} // namespace retest
