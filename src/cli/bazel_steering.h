#pragma once

#include "build/bazel.h"

#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace retest {

/// Why all labels have to run: something has changed that Bazel may be told by (an imported
/// .bazelrc, a patch, a tool of `--run_under`, a toolchain), and no test depends on it. Empty if
/// not.
llvm::Expected<std::string> steeredBy(const std::vector<std::string> &changed,
                                      const BazelTests &bazel, const std::string &root);

} // namespace retest
