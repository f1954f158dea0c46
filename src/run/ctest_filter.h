#pragma once

#include "run/ctest_suite.h"
#include "run/suite_filter.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <compare>
#include <optional>

namespace retest {

struct CTestVersion {
  unsigned major = 0, minor = 0;

  auto operator<=>(const CTestVersion &) const = default;
};

/// From what `ctest --version` says. It has to be asked: a version that does not know an option may
/// ignore it, and run everything.
std::optional<CTestVersion> parseCTestVersion(llvm::StringRef answer);
llvm::Expected<CTestVersion> readCTestVersion();

/// The filter that makes CTest run the wanted entries of a build directory, all that it has, in its
/// order. There is at most one start; it fails if it runs nothing.
///
/// Few names are a regular expression. Many go into a file: names for version 3.29 and later, for
/// earlier ones numbers, which are those of the current configuration and of no other. Numbers can
/// only be included, so before 3.29 what the expression has no room for runs in exclude form.
///
/// Two entries may have one name, in two directories: only numbers tell them apart. An entry that
/// is not in the list is excluded if its name is.
///
/// What entries need is in the filter as well: those that DEPENDS names, which is but an order for
/// CTest, and their fixtures' setups and cleanups, which CTest adds to what is included and does
/// not bring back when they are excluded. It never runs what is disabled.
SuiteFilter ctestFilter(llvm::ArrayRef<SuiteEntry> entries, const std::vector<bool> &isWanted,
                        FilterForm form, CTestVersion version);

/// Filters in include form that have names alone, for a time when there may be other entries:
/// numbers change when a program is built that has new tests. There are several if the names do not
/// fit one expression. Of entries with one name all run.
std::vector<SuiteFilter> ctestFiltersByName(llvm::ArrayRef<SuiteEntry> entries,
                                            const std::vector<bool> &isWanted,
                                            CTestVersion version);

} // namespace retest
