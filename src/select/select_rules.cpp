#include "select/select_rules.h"

#include <array>

namespace retest {

llvm::StringRef nameOf(SelectRule rule) {
  static constexpr std::array<const char *, kSelectRules> kNames = {
      "FlowEdges",     "Entries",     "Calls",    "VirtualCalls",  "Receivers", "UnprobedDispatch",
      "MethodEntries", "ClassMakers", "Programs", "ProgramLimits", "Doubts",    "Unmeasured",
  };
  return kNames[static_cast<std::size_t>(rule)];
}

} // namespace retest
