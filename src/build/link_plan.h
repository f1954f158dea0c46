#pragma once

#include "build/compile_database.h"

#include <string>
#include <vector>

namespace retest {

/// One thing that is linked into a binary.
struct LinkInput {
  enum class Kind {
    Unit,          ///< `name` is Unit::name
    Archive,       ///< a static library of the project: `name` is Binary::name
    SharedLibrary, ///< a shared library of the project: `name` is Binary::name
    /// A file of the project that is no unit and that no link makes: a prebuilt object or
    /// library, a linker script, an object of assembly. `name` as ProjectPaths::nameOf gives it.
    /// Of what a command of the project links also the binary itself, since that may do more.
    Object,
    External, ///< outside the project: "-lpthread", "/usr/lib/libz.so"
  };

  Kind kind = Kind::External;
  std::string name;
  /// How it is made, if that is known: of a language that is neither C nor C++ (assembly, Fortran,
  /// ...), or by a command of the project, which may compile and link at once; then `name` is the
  /// source, and `object` what is linked.
  std::optional<CompileCommand> command = {};
  bool isWhole = false; ///< an archive of which each member is taken (--whole-archive)

  auto operator<=>(const LinkInput &) const = default;
};

enum class BinaryKind {
  Executable,
  SharedLibrary,
  Module,  ///< a shared library that is loaded by the program, not by the linker
  Archive, ///< a static library
};

/// An artefact of the build.
///
/// Inputs stand in link order, an archive as often as it is named. Groups (--start-group) are not
/// kept: who searches archives does so until nothing new is found, as lld does.
struct Binary {
  std::string name; ///< its file as ProjectPaths::nameOf gives it: "<build>/bin/format-test"
  BinaryKind kind = BinaryKind::Executable;
  std::vector<LinkInput> inputs;
  /// The other words of the link command, without the place of root and build directory.
  std::vector<std::string> flags;

  auto operator<=>(const Binary &) const = default;
};

/// Which units form which binaries.
struct LinkPlan {
  std::vector<Binary> binaries; ///< sorted by name, each name once
  /// Where that is known from: "link.txt", "link commands of ninja", "CMake file API" or
  /// "none: all units form one program", and then there are no binaries.
  std::string source;
  /// What could not be understood, and units that are in no binary. Each is a doubt.
  std::vector<std::string> notes;
};

/// Reads how the build links, without building: link.txt of CMake's Makefiles, else the commands
/// of ninja if that program can be found, else a reply of CMake's file API.
///
/// An object belongs to the unit whose command writes it. Never fails: what cannot be read is a
/// note, and without any source the plan is empty.
LinkPlan loadLinkPlan(const CompileDatabase &database, const ProjectPaths &paths);

} // namespace retest
