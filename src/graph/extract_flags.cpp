#include "graph/extract_flags.h"

#include "build/paths.h"
#include "build/place.h"

#include <clang/Driver/Options.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace options = clang::driver::options;

namespace {

bool isHarmless(const llvm::opt::Arg &argument) {
  const llvm::opt::Option &option = argument.getOption();
  for (unsigned group : {options::OPT_W_Group, options::OPT_M_Group, options::OPT_I_Group,
                         options::OPT_clang_i_Group, options::OPT_pedantic_Group})
    if (option.matches(group))
      return true;
  for (unsigned id : {options::OPT_D, options::OPT_U, options::OPT_o, options::OPT_c,
                      options::OPT_w, options::OPT_v, options::OPT_pipe, options::OPT__DASH_DASH})
    if (option.matches(id))
      return true;
  if (option.matches(options::OPT_Wp_COMMA)) // -Wp,-MD,x.d
    return llvm::StringRef(argument.getValue()).starts_with("-M");
  llvm::StringRef name = option.getPrefixedName();
  for (llvm::StringRef prefix :
       {"-fdiagnostics", "-fno-diagnostics", "-fcolor-diagnostics", "-fno-color-diagnostics",
        "-fansi-escape-codes", "-ferror-limit", "-fmessage-length", "-fcaret-diagnostics",
        "-fno-caret-diagnostics", "-fshow-", "-fno-show-", "-ftemplate-backtrace-limit"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

/// Whether a word that Clang takes for an input is the source; else it may be the value of a flag
/// that Clang does not know.
bool isSource(const llvm::opt::Arg &argument, const CompileCommand &command) {
  return argument.getOption().matches(options::OPT_INPUT) &&
         absolutePath(command.directory, argument.getValue()) == command.file;
}

/// The file that a flag names (-fsanitize-ignorelist=...) decides as much as the flag.
std::optional<std::string> fileOf(const llvm::opt::Arg &argument, const CompileCommand &command) {
  llvm::StringRef name = argument.getOption().getPrefixedName();
  bool isConfiguration = argument.getOption().matches(options::OPT_config);
  if (argument.getNumValues() != 1 || !(name.starts_with("-f") || isConfiguration))
    return std::nullopt;
  std::string path = absolutePath(command.directory, argument.getValue());
  bool isProfile = name.starts_with("-fprofile") && name.contains("-use");
  if (isProfile && llvm::sys::fs::is_directory(path))
    path += "/default.profdata";
  if (isProfile || llvm::sys::fs::is_regular_file(path))
    return path;
  return std::nullopt;
}

llvm::opt::InputArgList parsed(const CompileCommand &command) {
  std::vector<const char *> words;
  for (std::size_t i = 1; i < command.arguments.size(); ++i)
    words.push_back(command.arguments[i].c_str());
  unsigned missingIndex = 0, missingCount = 0;
  return clang::driver::getDriverOptTable().ParseArgs(words, missingIndex, missingCount,
                                                      llvm::opt::Visibility(options::ClangOption));
}

bool decidesCode(const llvm::opt::Arg &argument, const CompileCommand &command) {
  return !isHarmless(argument) && !isSource(argument, command);
}

} // namespace

Fingerprint codeGenerationFlags(const CompileCommand &command, const ProjectPaths &paths) {
  llvm::opt::InputArgList arguments = parsed(command);
  std::vector<Place> places = placesOf(paths, {command.directory, command.file, command.object});
  FingerprintBuilder hash;
  hash.add(llvm::sys::path::filename(command.arguments.front()));
  for (const llvm::opt::Arg *argument : arguments)
    if (decidesCode(*argument, command)) {
      hash.add(llvm::StringRef(withoutPlaces(argument->getAsString(arguments), places)));
      if (auto path = fileOf(*argument, command))
        if (auto file = llvm::MemoryBuffer::getFile(*path))
          hash.add(fingerprintOf((*file)->getBuffer()));
    }
  return hash.finish();
}

std::vector<std::string> filesOfFlags(const CompileCommand &command) {
  llvm::opt::InputArgList arguments = parsed(command);
  std::vector<std::string> files;
  for (const llvm::opt::Arg *argument : arguments)
    if (decidesCode(*argument, command))
      if (auto path = fileOf(*argument, command))
        files.push_back(*path);
  return files;
}

} // namespace retest
