#pragma once

#include "run/test_framework.h"

#include <llvm/ADT/StringRef.h>

#include <optional>

namespace retest {

/// How many tests the framework says a program ran; nothing if it does not say (it crashed, or its
/// output is in another form than the usual one). Boost.Test says it before it runs them.
///
/// A filter that matches nothing ends with success in most frameworks: this number is what tells.
std::optional<unsigned> testsRun(Framework framework, llvm::StringRef standardOutput,
                                 llvm::StringRef standardError);

} // namespace retest
