#pragma once

#include <map>
#include <string>
#include <vector>

namespace retest {

/// What the extraction must know about a compiler that the compile database names.
struct CompilerFacts {
  bool isClang = false;
  std::string path;
  /// Flags that make Clang use the same target and standard library as this compiler.
  std::vector<std::string> flags;
};

struct ExtractOptions {
  /// The directory of Clang's own headers (`clang -print-resource-dir`).
  std::string resourceDirectory;
  /// A Clang whose place tells where to look for libraries, for commands of other compilers.
  std::string clang;
  /// By arguments[0] of the commands.
  std::map<std::string, CompilerFacts> compilers;
  /// Let __LINE__, __FILE__, __COUNTER__ and std::source_location count wherever they appear.
  bool lineSensitive = false;

  /// The program whose place Clang's driver takes as its own.
  std::string compilerFor(const std::string &compiler) const {
    auto found = compilers.find(compiler);
    return found != compilers.end() && found->second.isClang ? found->second.path : clang;
  }
  std::vector<std::string> flagsFor(const std::string &compiler) const {
    auto found = compilers.find(compiler);
    return found != compilers.end() ? found->second.flags : std::vector<std::string>{};
  }
};

} // namespace retest
