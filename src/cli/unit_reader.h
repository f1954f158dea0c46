#pragma once

#include "cli/tree.h"

namespace retest {

/// Takes parsed units one by one: tells of progress and errors, and keeps the results in the cache
/// as they come.
class UnitReader {
public:
  UnitReader(Tree &tree, bool keepsGraphs, std::size_t total, Context &context);

  void take(ExtractedUnit unit);
  /// Returns how many units did not parse.
  std::size_t finish();

private:
  void save();

  Tree &tree_;
  bool keepsGraphs_;
  Context &context_;
  Progress progress_;
  std::vector<ExtractedUnit> pending_;
  std::size_t failed_ = 0;
};

/// "src/lib.cpp does not parse: ..."
std::string parseWarning(llvm::StringRef unit, llvm::StringRef reason);

} // namespace retest
