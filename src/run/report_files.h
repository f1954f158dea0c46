#pragma once

#include "run/ctest_suite.h"
#include "run/recorded_test.h"

#include <llvm/ADT/StringRef.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace retest {

/// What is known of the files that tests use: who reads the report of a program needs a program
/// that runs as a whole, with all of its arguments.
struct FilesInUse {
  /// A use by a recorded test; of what is Written, also by whose entries.
  struct Use {
    FileUseKind kind = FileUseKind::Read;
    std::string path; ///< absolute
    std::vector<std::string> entries = {};
  };

  /// Where it is seen what tests use. Of a report that goes elsewhere nobody knows who reads it.
  std::vector<std::string> watched = {};
  std::vector<Use> uses = {};
  std::set<std::string> reports = {}; ///< those that tests were seen to use
  /// Names of entries that were one test, and stay it if they write a report: that somebody reads
  /// it cannot be seen any more, if it is the program itself.
  std::set<std::string> whole = {};
  std::vector<SuiteEntry> others = {}; ///< entries that are not looked into, but run some time
};

/// The path of a report: absolute, its directory without links. `directory` is where the program
/// runs; empty: where we do. A slash at the end stays.
std::string reportPath(llvm::StringRef directory, llvm::StringRef file);

/// Reports, by what tests do with files.
class ReportFiles {
public:
  void add(const std::string &report);
  bool empty() const { return paths_.empty() && directories_.empty(); }
  /// Those that may be used by this: the file itself, a list of its directory, a directory around
  /// it that is renamed.
  std::set<std::string> usedBy(FileUseKind kind, llvm::StringRef path) const;

private:
  std::map<std::string, std::string> paths_; ///< also the real one, if the file is a link
  std::multimap<std::string, std::string> parents_, ancestors_;
  std::set<std::string> directories_; ///< with a slash at the end
};

} // namespace retest
