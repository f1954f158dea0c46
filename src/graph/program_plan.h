#pragma once

#include "graph/names.h"
#include "support/fingerprint.h"

#include <vector>

namespace retest {

enum class ProgramKind : std::uint8_t {
  Executable,
  SharedLibrary,
  Module,  ///< a shared library that the program itself loads
  Archive, ///< a static library
};

enum class ProgramInputKind : std::uint8_t {
  Unit,          ///< the object file of a unit, by the unit's name
  Archive,       ///< a static library of the project, by the binary's name
  SharedLibrary, ///< a shared library of the project, by the binary's name
  Object,        ///< a file of the project that is no unit (assembly, a prebuilt object)
  External,      ///< outside the project: "-lpthread"
};

struct ProgramInput {
  ProgramInputKind kind = ProgramInputKind::Unit;
  NameId name;
  bool isWhole = false;     ///< an archive under --whole-archive: every member enters
  Fingerprint content = {}; ///< of an Object: what is in it, or in the source it is made from

  auto operator<=>(const ProgramInput &) const = default;
};

/// One binary of the project with its inputs in the order of the link command.
struct LinkedBinary {
  NameId name;
  ProgramKind kind = ProgramKind::Executable;
  std::vector<ProgramInput> inputs;

  auto operator<=>(const LinkedBinary &) const = default;
};

/// What is linked into what, with all names in the table that the graphs share. Without binaries:
/// not known, so all units count as one program.
struct ProgramPlan {
  std::vector<LinkedBinary> binaries;

  bool isKnown() const { return !binaries.empty(); }
  auto operator<=>(const ProgramPlan &) const = default;
};

} // namespace retest
