#pragma once

#include "cli/context.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace retest {

/// Writes a result to standard output, or to the file that -o names (`-`: standard output), which
/// is touched only once the result is complete.
llvm::Expected<ExitCode> writeResult(const std::string &file, Context &context,
                                     llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// A picture that graphviz draws.
llvm::Error writeSvg(llvm::raw_ostream &out, const std::string &dot);

} // namespace retest
