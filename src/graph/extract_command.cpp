#include "graph/extract_command.h"

#include "build/paths.h"

#include <clang/Driver/Options.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace options = clang::driver::options;

namespace {

bool isDropped(const llvm::opt::Arg &argument) {
  switch (argument.getOption().getID()) {
  case options::OPT_o:
  case options::OPT_c:
  case options::OPT_S:
  case options::OPT_E:
  case options::OPT_M:
  case options::OPT_MM:
  case options::OPT_MD:
  case options::OPT_MMD:
  case options::OPT_MF:
  case options::OPT_MT:
  case options::OPT_MQ:
  case options::OPT_MG:
  case options::OPT_MP:
  case options::OPT_MJ:
  case options::OPT_fplugin_EQ:
  case options::OPT_save_temps:
  case options::OPT_save_temps_EQ:
  case options::OPT_pedantic_errors:
  case options::OPT__serialize_diags:
  case options::OPT_fprofile_use: // may be missing, or another compiler's
  case options::OPT_fprofile_use_EQ:
  case options::OPT_fprofile_instr_use:
  case options::OPT_fprofile_instr_use_EQ:
  case options::OPT_fprofile_sample_use:
  case options::OPT_fprofile_sample_use_EQ:
  case options::OPT_INPUT: // given again at the end
    return true;
  default:
    return argument.getOption().getID() == options::OPT_W_Joined &&
           llvm::StringRef(argument.getValue()).starts_with("error");
  }
}

/// A precompiled header may be missing, or made by another compiler: read what it was made from.
void includeSource(llvm::StringRef precompiled, llvm::StringRef directory,
                   const llvm::opt::ArgList &all, std::vector<std::string> &arguments) {
  llvm::StringRef source = precompiled;
  source.consume_back(".pch") || source.consume_back(".gch");
  for (const llvm::opt::Arg *argument : all) // CMake names both
    if (llvm::is_contained(argument->getValues(), source))
      return;
  if (llvm::sys::fs::exists(absolutePath(directory, source))) {
    arguments.push_back("-include");
    arguments.push_back(source.str());
  }
}

/// Other spellings of the root in this command: through a symbolic link, say.
std::string spelledRoot(const CompileCommand &command, const ProjectPaths &paths) {
  std::string name = paths.nameOf(command.file);
  llvm::StringRef file = command.file;
  if (llvm::sys::path::is_absolute(name) || !file.consume_back("/" + name))
    return "";
  return file.str();
}

} // namespace

ClangCommand clangCommand(const CompileCommand &command, const ProjectPaths &paths,
                          const ExtractOptions &options, bool mapsPaths) {
  std::vector<const char *> raw;
  for (std::size_t i = 1; i < command.arguments.size(); ++i)
    raw.push_back(command.arguments[i].c_str());
  unsigned missingIndex = 0;
  unsigned missingCount = 0;
  llvm::opt::InputArgList parsed = clang::driver::getDriverOptTable().ParseArgs(
      raw, missingIndex, missingCount, llvm::opt::Visibility(options::ClangOption));

  ClangCommand result;
  bool isCxx = llvm::sys::path::filename(command.arguments.front()).contains("++");
  result.arguments = {options.compilerFor(command.arguments.front()),
                      isCxx ? "--driver-mode=g++" : "--driver-mode=gcc"};
  for (const std::string &flag : options.flagsFor(command.arguments.front()))
    result.arguments.push_back(flag);
  llvm::SmallVector<llvm::StringRef, 4> passedOn; // the run of -Xclang arguments so far
  for (const llvm::opt::Arg *argument : parsed) {
    if (argument->getOption().getID() == options::OPT_UNKNOWN) {
      result.dropped.push_back(argument->getAsString(parsed));
      continue;
    }
    if (argument->getOption().getID() == options::OPT_fplugin_EQ)
      result.dropped.push_back(argument->getAsString(parsed));
    if (isDropped(*argument))
      continue;
    if (argument->getOption().getID() == options::OPT_Xclang) {
      passedOn.push_back(argument->getValue());
      llvm::StringRef before = passedOn.size() > 1 ? passedOn[passedOn.size() - 2] : "";
      if (passedOn.back() == "-include-pch" || passedOn.back() == "-emit-pch")
        continue;
      if (before == "-include-pch") {
        includeSource(passedOn.back(), command.directory, parsed, result.arguments);
        continue;
      }
    } else if (argument->getOption().getID() == options::OPT_include_pch) {
      includeSource(argument->getValue(), command.directory, parsed, result.arguments);
      continue;
    }
    llvm::opt::ArgStringList rendered;
    argument->render(parsed, rendered);
    result.arguments.insert(result.arguments.end(), rendered.begin(), rendered.end());
  }
  for (const char *flag : {"-fsyntax-only", "-w", "-fno-color-diagnostics", "-Wno-error"})
    result.arguments.push_back(flag);
  result.arguments.push_back("-resource-dir=" + options.resourceDirectory);
  if (mapsPaths) {
    for (const std::string &place : {paths.build, spelledRoot(command, paths), paths.root})
      if (!place.empty())
        result.arguments.push_back("-fmacro-prefix-map=" + place + "/=");
  }
  result.arguments.push_back("--");
  result.arguments.push_back(command.file);
  return result;
}

} // namespace retest
