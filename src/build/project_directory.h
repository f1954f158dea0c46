#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace retest {

/// The outermost directory with a file of that name from `start` upwards, without a gap; nothing if
/// there is none.
std::optional<std::string> outermostWith(llvm::StringRef file, llvm::StringRef start);

} // namespace retest
