#pragma once

#include "diff/changed_entities.h"
#include "diff/changed_programs.h"
#include "diff/delta.h"

#include <map>
#include <set>

namespace retest {

/// What the parts of the comparison share: the two versions, what the first phase found, and the
/// findings so far.
class Comparison {
public:
  Comparison(const Project &baseline, const Project &current, const Names &names,
             const Rules &rules);

  const Project &baseline, &current;
  const Names &names;
  const Rules &rules;
  std::vector<UnitPair> units;       ///< that changed
  std::vector<ProgramPair> programs; ///< that changed
  ChangedEntities entities;
  Delta delta;
  /// Virtual methods that one version of some program defines and the other does not.
  std::set<NameId> redefinedMethods;

  const ProgramGraph &baselineProgram(ProgramPair pair) const {
    return baseline.programs[pair.baseline];
  }
  const ProgramGraph &currentProgram(ProgramPair pair) const {
    return current.programs[pair.current];
  }
  /// The current unit that stands for a baseline unit; not valid if it is gone.
  UnitId counterpart(UnitId baselineUnit) const { return counterparts_[baselineUnit.value]; }
  /// False if a version of the unit does not parse: then nothing in it can be compared.
  bool isReadable(UnitPair unit) const;

  /// An edge that is dangerous in one program. The first reason is kept.
  void addEdge(DangerousEdge edge, std::uint32_t program);
  void addClassEntry(DangerousClassEntry entry, std::uint32_t program);
  void addProgram(std::uint32_t program, Reason reason);
  void addDoubt(std::string text, SourcePosition where = {});

  /// Which nodes of a changed function have a counterpart in the current version of a program. A
  /// function that is not listed is unchanged: all its nodes have one.
  void noteMatched(std::uint32_t program, FunctionId function, llvm::ArrayRef<NodePair> nodes);
  bool isMatched(std::uint32_t program, FunctionId function, NodeId node) const;

  /// Sorted, with the programs of each edge filled in.
  Delta finish();

private:
  Comparison(const Project &baseline, const Project &current, const Names &names,
             const Rules &rules, MatchedUnits matched);

  using Place = std::tuple<std::uint32_t, EdgePlace, std::uint32_t, NodeId, NameId>;
  struct Found {
    DangerousEdge edge;
    std::set<std::uint32_t> programs;
  };
  bool isIn(const ProgramGraph &program, FunctionId function) const;

  std::vector<UnitId> counterparts_; ///< by baseline unit
  std::map<Place, Found> edges_;
  std::map<std::pair<NameId, NameId>, std::pair<DangerousClassEntry, std::set<std::uint32_t>>>
      classEntries_;
  std::set<DangerousProgram> programs_;
  std::map<std::pair<std::uint32_t, FunctionId>, std::set<NodeId>> matched_; ///< by program
};

/// False if the program has a unit that does not parse or is not known: then all of it is dangerous
/// as soon as anything changes.
bool isReadable(const Project &project, const ProgramGraph &program);

/// Walks the functions that differ or use something that changed.
void compareFunctions(Comparison &comparison);
/// Calls of names that one version defines and the other does not.
void compareDefinitions(Comparison &comparison);
/// Static initialisation: which units take part, and in which order.
void compareInitialisers(Comparison &comparison);
/// Virtual calls, and calls from external code, by class of the receiver.
void compareDispatch(Comparison &comparison);
/// What concerns whole units and link inputs: flags, external headers, text left out, parse errors.
void compareUnits(Comparison &comparison);

} // namespace retest
