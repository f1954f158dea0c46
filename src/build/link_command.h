#pragma once

#include "build/link_plan.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>

#include <string>
#include <vector>

namespace retest {

/// A thing to link, as a command names it.
struct LinkWord {
  enum class Kind {
    File,    ///< an absolute path
    Library, ///< -l: "pthread", or ":libz.a" for a file name
  };

  Kind kind = Kind::File;
  std::string text;
  bool isWhole = false;        ///< after --whole-archive
  bool prefersArchive = false; ///< after -static or -Bstatic

  auto operator<=>(const LinkWord &) const = default;
};

/// A command that makes a binary out of objects and libraries, as it is written. All paths are
/// absolute.
struct LinkCommand {
  std::string directory;
  std::string output;
  BinaryKind kind = BinaryKind::Executable;
  bool isRelocatable = false; ///< -r: the output is one object made of others
  std::vector<LinkWord> inputs;
  std::vector<std::string> libraryDirectories;
  std::string soname;
  std::vector<std::string> flags; ///< all other words
  /// All words, with response files expanded, if a driver or a linker is called.
  std::vector<std::string> arguments = {};

  auto operator<=>(const LinkCommand &) const = default;
};

/// `path` is a symbolic link to `target`; both absolute.
struct FileAlias {
  std::string path;
  std::string target;

  auto operator<=>(const FileAlias &) const = default;
};

/// What the commands of one shell line do for linking.
struct LinkLine {
  std::vector<LinkCommand> links;
  std::vector<FileAlias> aliases; ///< libfoo.so for libfoo.so.1.2
  /// Commands that only compile, as they are written: directory and arguments.
  std::vector<CompileCommand> compilations;
  /// Commands that may be links or not. Those that surely are not (compilations, ranlib, ...) are
  /// in no list.
  std::vector<std::vector<std::string>> unknown;
};

/// Reads a line of shell, which may chain commands (`a && b`) and change directory (`cd dir &&`).
/// Several `ar` commands on one archive are one link. `drivers` are programs that link although
/// their names do not tell: the compilers that the project uses.
LinkLine parseLinkLine(llvm::StringRef line, llvm::StringRef directory,
                       const llvm::StringSet<> &drivers = {});

/// One link by a compiler driver or a linker; arguments[0] is the program. Response files are
/// expanded.
LinkCommand parseDriverLink(llvm::ArrayRef<std::string> arguments, llvm::StringRef directory);

} // namespace retest
