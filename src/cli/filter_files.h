#pragma once

#include "run/suite_filter.h"

#include <llvm/Support/Error.h>

namespace retest {

/// Writes the files that starts of runners need, each under a name of its own.
class FilterFiles {
public:
  explicit FilterFiles(std::string directory) : directory_(std::move(directory)) {}

  /// All arguments of a start, its file written.
  llvm::Expected<std::vector<std::string>> argumentsOf(const RunnerStart &start,
                                                       llvm::StringRef runner);

private:
  std::string directory_;
  unsigned count_ = 0;
};

} // namespace retest
