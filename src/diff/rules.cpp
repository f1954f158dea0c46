#include "diff/rules.h"

#include <array>

namespace retest {

llvm::StringRef nameOf(Rule rule) {
  static constexpr std::array<const char *, kRules> kNames = {
      "Nodes",           "Locals",          "RemovedEdges",    "AddedEdges",         "LooseNodes",
      "Declarations",    "Layouts",         "Hierarchies",     "DerivedHierarchies", "Variables",
      "VariableClosure", "Dispatch",        "ClassEntries",    "DefaultEntry",       "Definitions",
      "Interposition",   "Initialisers",    "PossibleMembers", "Variants",           "CompiledOut",
      "Flags",           "ExternalHeaders", "LinkFiles",       "RemovedPrograms",    "Unparsed",
  };
  return kNames[static_cast<std::size_t>(rule)];
}

} // namespace retest
