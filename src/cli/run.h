#pragma once

#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>
#include <vector>

namespace retest {

/// The program: parses the arguments (without the program's name), runs the command that they
/// name, and returns the exit code. `leftovers`: for who is about to end the process (Context).
int run(const std::vector<std::string> &arguments, llvm::raw_ostream &out, llvm::raw_ostream &err,
        std::vector<std::shared_ptr<void>> *leftovers = nullptr);

} // namespace retest
