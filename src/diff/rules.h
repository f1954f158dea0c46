#pragma once

#include <llvm/ADT/StringRef.h>

#include <bitset>
#include <cstdint>

namespace retest {

/// The rules of the comparison. Tests switch each off to show that some case needs it; nothing
/// else does. The numbers are those of docs/safety.md.
enum class Rule : std::uint8_t {
  Nodes,        ///< an edge into a node that says something else is dangerous
  Locals,       ///< renaming aside, a node must mention the same locals
  RemovedEdges, ///< a baseline edge without counterpart is dangerous
  AddedEdges,   ///< an edge that only the current program has takes from `default` (C1, C7)
  LooseNodes,   ///< nodes without predecessors are roots of the walk (14)
  Declarations, ///< type, attributes and the text of unmodelled code belong to the entry (C17)
  Layouts,      ///< uses of a class whose layout changed (C5, 11)
  Hierarchies,  ///< uses of a class whose bases changed (C5, C7)
  DerivedHierarchies, ///< a base change counts for all derived classes (11)
  Variables,          ///< uses of a variable whose initialiser changed (C8, C11)
  VariableClosure,    ///< a variable that names a changed variable is changed (10)
  Dispatch,           ///< virtual calls by receiver class (C4)
  ClassEntries,       ///< calls from external code into overrides (C4)
  DefaultEntry,       ///< a new override of an external method takes from `*` (C4)
  Definitions,        ///< callers of a name that the linker resolves in another way (1)
  Interposition,      ///< a replaced function that external code may call: the whole binary (1)
  Initialisers,       ///< a unit initialiser that enters, leaves or moves in a binary (2)
  PossibleMembers,    ///< archive members that changed code may pull in or no longer needs (2)
  Variants,           ///< a change of any variant changes the name in that binary (4)
  CompiledOut,        ///< changed text that this configuration compiles out (5)
  Flags,              ///< code-generation flags: the whole unit (6, C13)
  ExternalHeaders,    ///< an external header that the unit sees in another way (C13)
  LinkFiles,          ///< a link input that is no unit (1)
  RemovedPrograms,    ///< a program without counterpart cannot be compared (1)
  Unparsed,           ///< a unit that does not parse: all binaries that link it (C18)
};
inline constexpr std::size_t kRules = static_cast<std::size_t>(Rule::Unparsed) + 1;

/// "Nodes", "Locals", ...
llvm::StringRef nameOf(Rule rule);

/// The rules in force: all of them, by default.
class Rules {
public:
  bool operator()(Rule rule) const { return !off_.test(static_cast<std::size_t>(rule)); }
  Rules without(Rule rule) const {
    Rules rules = *this;
    rules.off_.set(static_cast<std::size_t>(rule));
    return rules;
  }

private:
  std::bitset<kRules> off_;
};

} // namespace retest
