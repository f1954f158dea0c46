#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace retest {

/// The words of a shell command: blanks separate, quotes and backslashes protect.
std::vector<std::string> splitCommand(llvm::StringRef command);

/// Replaces each `@file` by the words in the file, which may name further ones. Relative names
/// start at `directory`. A word whose file does not exist stays as it is, as compilers treat it.
std::vector<std::string> expandResponseFiles(llvm::ArrayRef<std::string> arguments,
                                             llvm::StringRef directory);

/// Removes what stands before the compiler, in any depth: `ccache`, `distcc` and their like,
/// `env A=b`, `cmake -E env A=b`, `cmake -E time`, `cmake -E __run_co_compile ... --`,
/// `ctest --launch ... --`, and any other program that is followed by the name of a compiler.
std::vector<std::string> withoutLaunchers(llvm::ArrayRef<std::string> arguments);

/// Whether a program is a C or C++ compiler driver by its name: "/usr/bin/c++",
/// "aarch64-linux-gnu-g++-12", "clang++-19".
bool isCompilerName(llvm::StringRef program);

/// Whether a program is a linker that is called without a driver.
bool isLinkerName(llvm::StringRef program);

/// Whether a program is a shell: what it is to compile is inside one of its words, or in a script.
bool isShellName(llvm::StringRef program);

/// Whether a program is one of `bases`, with a triple before it or a version behind it or not:
/// "/usr/bin/x86_64-linux-gnu-ar-2.40" is an "ar".
bool isToolName(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> bases);

} // namespace retest
