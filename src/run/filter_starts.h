#pragma once

#include "run/suite_filter.h"

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>
#include <vector>

namespace retest {

/// Names as a framework's filter has them: escaped, or with wildcards.
using FilterTexts = std::vector<std::string>;

/// Starts that run the tests with these names, all disabled ones or none. Of doctest, those in a
/// suite (of which the text is given; it may be empty), or in any.
std::vector<RunnerStart> startsIncluding(Framework framework, const FilterTexts &names,
                                         bool areDisabled, std::optional<std::string> suite = {});

/// A start without the tests with these names, as many of them as there is room for.
struct ExcludingStart {
  RunnerStart start;
  std::size_t written = 0; ///< how many, from the first
};

/// Tests that are disabled stay so. A program of Catch2 where some are is taken to have the tag
/// `[.]` for that, and for nothing else; where none is, the filter does not speak of it.
ExcludingStart startExcluding(Framework framework, const FilterTexts &names, bool areSomeDisabled,
                              std::optional<std::string> suite = {});

/// A start of doctest without the tests in these suites and, if that is asked for, in none.
ExcludingStart startExcludingSuites(const FilterTexts &suites, bool excludesNone);

} // namespace retest
