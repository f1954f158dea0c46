#pragma once

#include "diff/delta.h"
#include "select/select_rules.h"

#include <optional>
#include <vector>

namespace retest {

/// A place of the baseline whose execution is recorded: an edge of a function's flow graph, or the
/// function's entry.
struct Probe {
  FunctionId function;
  std::optional<std::uint32_t> edge; ///< index in FlowGraph::edges; nothing: the entry

  auto operator<=>(const Probe &) const = default;
};

/// What proves that a recorded test crossed a dangerous edge: it reached one of the probes, made an
/// object of the class, and ran one of the programs. A part that is empty asks for nothing.
struct Witness {
  std::vector<Probe> probes;           ///< sorted; any of them
  NameId constructed;                  ///< name of a class
  std::vector<std::uint32_t> programs; ///< of the baseline, by index; any of them

  auto operator<=>(const Witness &) const = default;
};

/// Turns dangerous edges into what the recording knows of.
///
///     f: x>0 -T-> return 1         the edge itself
///     g: every call                the entry
///     s.area() -Square-> ...       a way to the call, and a Square was made
///     external code -C-> bar()     C::bar was entered; without a body: a C was made
///     external code -B-> *         a B was made
///
/// A virtual call in code without probes is known only by the class of its receivers (rule 8): who
/// calls such code is itself a guess from above.
/// REQUIRES: the project and the names outlive the object.
class Witnesses {
public:
  Witnesses(const Project &baseline, const Names &names, const SelectRules &rules = {})
      : baseline_(baseline), names_(names), rules_(rules) {}

  Witness of(const DangerousEdge &edge) const;
  Witness of(const DangerousClassEntry &entry) const;
  Witness of(const DangerousProgram &program) const;

private:
  void addWaysTo(FunctionId function, NodeId node, Witness &witness) const;

  const Project &baseline_;
  const Names &names_;
  SelectRules rules_;
};

} // namespace retest
