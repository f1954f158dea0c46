#pragma once

#include "diff/changed_units.h"

namespace retest {

/// The same binary in two versions, by index in Project::programs.
struct ProgramPair {
  std::uint32_t baseline = 0, current = 0;
  bool hasSameUnits = true; ///< made of units that stand for each other, in the same order
};

/// The programs that both versions have and in which something differs: a unit, the list of units,
/// or another link input; or of which something is not known. Nothing in the other programs is
/// looked at again.
std::vector<ProgramPair> changedPrograms(const Project &baseline, const Project &current,
                                         const MatchedUnits &units);

/// The programs of `has`, by index, of whose name `lacks` has none.
std::vector<std::uint32_t> programsOnlyIn(const Project &has, const Project &lacks);

/// Units that enter or leave one of the programs, whether they changed or not. Each is one half of
/// a pair.
std::vector<UnitPair> relinkedUnits(const Project &baseline, const Project &current,
                                    const MatchedUnits &units,
                                    llvm::ArrayRef<ProgramPair> programs);

} // namespace retest
