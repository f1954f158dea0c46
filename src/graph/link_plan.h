#pragma once

#include "graph/names.h"

#include <vector>

namespace retest {

enum class BinaryKind : std::uint8_t { Executable, SharedLibrary, Archive };

enum class LinkInputKind : std::uint8_t {
  Unit,          ///< the object file of a unit, by the unit's name
  Archive,       ///< a static library of the project, by the binary's name
  SharedLibrary, ///< a shared library of the project, by the binary's name
  File,          ///< anything else (.S, a prebuilt object): judged by its content
};

struct LinkInput {
  LinkInputKind kind = LinkInputKind::Unit;
  NameId name;
  bool isWhole = false; ///< an archive under --whole-archive: every member enters

  auto operator<=>(const LinkInput &) const = default;
};

/// One binary of the project with its inputs in the order of the link command.
struct LinkedBinary {
  NameId name;
  BinaryKind kind = BinaryKind::Executable;
  std::vector<LinkInput> inputs;

  auto operator<=>(const LinkedBinary &) const = default;
};

/// What is linked into what. Without binaries: not known, so all units count as one program.
struct LinkPlan {
  std::vector<LinkedBinary> binaries;

  bool isKnown() const { return !binaries.empty(); }
  auto operator<=>(const LinkPlan &) const = default;
};

} // namespace retest
