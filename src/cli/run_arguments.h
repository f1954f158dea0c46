#pragma once

#include "select/run_order.h"

#include <llvm/Support/Error.h>

namespace retest {

/// A time as users write it: "90" and "90s" are seconds; "500ms", "5m", "1h", "1.5s".
llvm::Expected<std::chrono::microseconds> parseDuration(llvm::StringRef option,
                                                        llvm::StringRef text);

/// "2/3": the second of three parts.
llvm::Expected<Shard> parseShard(llvm::StringRef text);

} // namespace retest
