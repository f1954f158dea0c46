#include "build/language.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

constexpr const char *kUnit = "";
constexpr const char *kHeader = "precompiled header";

constexpr const char *kUnknown = "unknown language";

const char *reasonByLanguage(llvm::StringRef language) {
  return llvm::StringSwitch<const char *>(language)
      .Cases("c", "c++", "cpp-output", "c++-cpp-output", "c++-module", kUnit)
      .Cases("c-header", "c++-header", "c++-system-header", "c++-user-header", kHeader)
      .Cases("objective-c-header", "objective-c++-header", kHeader)
      .Cases("assembler", "assembler-with-cpp", "assembly")
      .StartsWith("objective-c", "Objective-C")
      .StartsWith("f77", "Fortran")
      .StartsWith("f95", "Fortran")
      .Cases("cuda", "cu", "CUDA")
      .Default(kUnknown);
}

/// `-x c++`, `-xc++`, `--language=c++`; the last one counts, and `none` takes it back. Other
/// options begin with -x as well (-xHost), so a joined word counts only if it is a language.
std::string givenLanguage(const std::vector<std::string> &arguments) {
  std::string language;
  for (size_t i = 1; i < arguments.size(); ++i) {
    llvm::StringRef word = arguments[i];
    if ((word == "-x" || word == "--language") && i + 1 < arguments.size())
      language = arguments[++i];
    else if (word == "-Xclang" || word == "-Xlinker" || word == "-Xpreprocessor")
      ++i;
    else if (word.consume_front("--language="))
      language = word.str();
    else if (word.consume_front("-x") &&
             (word == "none" || llvm::StringRef(reasonByLanguage(word)) != kUnknown))
      language = word.str();
  }
  return language == "none" ? "" : language;
}

const char *reasonByEnding(llvm::StringRef ending) {
  return llvm::StringSwitch<const char *>(ending)
      .Cases(".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", kUnit)
      .Cases(".i", ".ii", ".cppm", ".ccm", ".cxxm", ".c++m", ".ixx", ".mpp", kUnit)
      .Cases(".h", ".hh", ".hpp", ".hxx", ".h++", ".H", ".hp", kHeader)
      .Cases(".s", ".S", ".sx", ".asm", ".nasm", "assembly")
      .Cases(".m", ".mm", ".M", "Objective-C")
      .CasesLower(".f", ".for", ".ftn", ".f77", "Fortran")
      .CasesLower(".f90", ".f95", ".f03", ".f08", "Fortran")
      .Cases(".cu", ".hip", "CUDA")
      .CasesLower(".rc", ".res", "resource")
      .Default(kUnknown);
}

const char *reasonNoUnit(const CompileCommand &command) {
  for (const std::string &word : command.arguments)
    if (word == "-emit-pch")
      return kHeader;
  // CMake's own precompiled headers, in case a generator says so by the name alone.
  llvm::StringRef name = llvm::sys::path::filename(command.file);
  if (name == "cmake_pch.hxx.cxx" || name == "cmake_pch.h.c" || name == "cmake_pch.hxx.cpp")
    return kHeader;
  std::string language = givenLanguage(command.arguments);
  return language.empty() ? reasonByEnding(llvm::sys::path::extension(command.file))
                          : reasonByLanguage(language);
}

} // namespace

bool Classification::isUnknown() const { return reason == kUnknown; }

Classification classify(const CompileCommand &command) {
  llvm::StringRef reason = reasonNoUnit(command);
  if (reason.empty())
    return {};
  return {reason == kHeader ? EntryKind::PrecompiledHeader : EntryKind::OtherLanguage,
          reason.str()};
}

} // namespace retest
