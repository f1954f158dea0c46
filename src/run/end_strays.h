#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace retest {

/// Ends processes that a test has left behind outside of its group: daemons. They are known by
/// their environment, in which the directory for counter files is one below `directory`. Returns
/// how many.
unsigned endStrays(const std::string &directory);

/// Ends processes whose environment had an entry that begins so ("NAME=value") when they were
/// started. Returns how many.
unsigned endStartedWith(llvm::StringRef entry);

} // namespace retest
