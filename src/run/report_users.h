#pragma once

#include "run/ctest_suite.h"
#include "run/report_files.h"

#include <llvm/ADT/StringSet.h>

#include <set>
#include <string>
#include <vector>

namespace retest {

/// Tells of each entry whether somebody may need the report that it writes. Then it has to run as
/// CTest runs it: whole, with all of its arguments.
///
///     unit: app --out=report.xml     check: cmake -P check.cmake, which has file(READ report.xml)
///
/// That others depend on the entry is one sign, a file of the report's name in what they run is
/// another. What a test does with the report by other means is seen when it runs, and recorded.
class ReportUsers {
public:
  /// REQUIRES: both outlive the object.
  ReportUsers(const std::vector<SuiteEntry> &entries, const FilesInUse &files)
      : entries_(entries), files_(files), reports_(entries.size()) {}

  /// The reports of an entry, by reportPath, and its command without what says so.
  void add(std::size_t entry, std::vector<std::string> reports, llvm::ArrayRef<std::string> words);
  /// REQUIRES: all entries have been added.
  void finish();

  const std::vector<std::string> &reportsOf(std::size_t entry) const { return reports_[entry]; }
  /// Why the entry is to run whole; empty: nobody is known to need its report, or it has none.
  std::string whyWhole(std::size_t entry) const;

private:
  void addTexts(const SuiteEntry &entry, llvm::ArrayRef<std::string> words);
  void addNames(llvm::StringRef text);
  void addNamesIn(const std::string &file);
  void addUses();
  bool isWatched(llvm::StringRef report) const;

  const std::vector<SuiteEntry> &entries_;
  const FilesInUse &files_;
  std::vector<std::vector<std::string>> reports_;
  std::vector<std::vector<std::string>> words_;
  llvm::StringSet<> names_; ///< of files, as far as they are in the texts of entries
  llvm::StringSet<> awaited_, seen_;
  std::set<std::string> used_;
};

} // namespace retest
