#pragma once

#include <llvm/ADT/StringRef.h>

#include <bitset>
#include <cstdint>

namespace retest {

/// The rules by which dangerous edges become tests. Tests switch each off to show that some case
/// needs it; nothing else does. The numbers are those of docs/safety.md.
enum class SelectRule : std::uint8_t {
  FlowEdges,        ///< who crossed the edge
  Entries,          ///< who entered the function, where every call of it is dangerous
  Calls,            ///< who came to a call that ends up elsewhere
  VirtualCalls,     ///< who came to a virtual call and made an object of the class (C4)
  Receivers,        ///< and no one who made none (C4)
  UnprobedDispatch, ///< a virtual call in code without probes: whoever made the object (8)
  MethodEntries,    ///< calls from external code: who entered the method (C4)
  ClassMakers,      ///< the default edge, and methods without probes: who made an object (C4)
  Programs,         ///< every run of a program: all of its tests (1, 2, C9, C18)
  ProgramLimits,    ///< what is dangerous in some programs: their tests alone (1)
  Doubts,           ///< what could not be known is told apart from what is affected (S2)
  Unmeasured,       ///< a test that was not measured (S3)
};
inline constexpr std::size_t kSelectRules = static_cast<std::size_t>(SelectRule::Unmeasured) + 1;

/// "FlowEdges", "Entries", ...
llvm::StringRef nameOf(SelectRule rule);

/// The rules in force: all of them, by default.
class SelectRules {
public:
  bool operator()(SelectRule rule) const { return !off_.test(static_cast<std::size_t>(rule)); }
  SelectRules without(SelectRule rule) const {
    SelectRules rules = *this;
    rules.off_.set(static_cast<std::size_t>(rule));
    return rules;
  }

private:
  std::bitset<kSelectRules> off_;
};

} // namespace retest
