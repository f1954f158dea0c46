#include "select/witness.h"

#include "graph/virtual_calls.h"

#include <llvm/ADT/STLExtras.h>

#include <numeric>

namespace retest {

namespace {

bool hasNoProbes(const Function &function) {
  return function.isImplicit || function.isExternal || function.isSystemHeader;
}

void sortProbes(Witness &witness) {
  llvm::sort(witness.probes);
  witness.probes.erase(std::unique(witness.probes.begin(), witness.probes.end()),
                       witness.probes.end());
}

/// What objects of the class run for a method in a program; none if it has no such class. Nothing
/// if that is not known, or has no probes.
std::optional<std::vector<FunctionId>> methodsRun(const Project &project,
                                                  const ProgramGraph &program, const Names &names,
                                                  const DangerousClassEntry &entry) {
  VirtualCalls calls(project, program, names);
  std::vector<FunctionId> methods;
  for (ClassId type : calls.classes()) {
    if (project[type].name != entry.type)
      continue;
    llvm::ArrayRef<Overrider> overriders = calls.finalOverriders(type, entry.method);
    if (overriders.empty())
      return std::nullopt;
    for (const Overrider &overrider : overriders) {
      llvm::SmallVector<FunctionId, 2> bodies = calls.functionsOf(overrider);
      if (bodies.empty() ||
          llvm::any_of(bodies, [&](FunctionId body) { return hasNoProbes(project[body]); }))
        return std::nullopt;
      llvm::append_range(methods, bodies);
    }
  }
  return methods;
}

} // namespace

/// A node that no edge leads to is known by the function's entry.
void Witnesses::addWaysTo(FunctionId function, NodeId node, Witness &witness) const {
  const std::vector<FlowEdge> &edges = baseline_[function].flow.edges;
  bool hasWay = false;
  for (std::uint32_t i = 0; i < edges.size(); ++i)
    if (edges[i].to == node) {
      witness.probes.push_back({function, i});
      hasWay = true;
    }
  if (!hasWay || node.value == 0)
    witness.probes.push_back({function, std::nullopt});
}

Witness Witnesses::of(const DangerousEdge &edge) const {
  Witness witness;
  witness.programs = edge.programs;
  switch (edge.place) {
  case EdgePlace::Entry:
    witness.probes.push_back({edge.function, std::nullopt});
    break;
  case EdgePlace::Flow:
    witness.probes.push_back({edge.function, edge.edge});
    break;
  case EdgePlace::Call:
    addWaysTo(edge.function, edge.node, witness);
    break;
  case EdgePlace::VirtualCall:
    if (!hasNoProbes(baseline_[edge.function]) || !rules_(SelectRule::UnprobedDispatch))
      addWaysTo(edge.function, edge.node, witness);
    if (rules_(SelectRule::Receivers))
      witness.constructed = edge.receiver;
    break;
  }
  sortProbes(witness);
  return witness;
}

Witness Witnesses::of(const DangerousClassEntry &entry) const {
  Witness witness;
  witness.programs = entry.programs;
  std::vector<std::uint32_t> programs = entry.programs;
  if (programs.empty()) {
    programs.resize(baseline_.programs.size());
    std::iota(programs.begin(), programs.end(), 0);
  }
  for (std::uint32_t program : programs) {
    auto methods = entry.method.isValid()
                       ? methodsRun(baseline_, baseline_.programs[program], names_, entry)
                       : std::nullopt;
    if (!methods) {
      witness.probes.clear();
      break;
    }
    for (FunctionId method : *methods)
      witness.probes.push_back({method, std::nullopt});
  }
  if (witness.probes.empty())
    witness.constructed = entry.type;
  sortProbes(witness);
  return witness;
}

Witness Witnesses::of(const DangerousProgram &program) const {
  Witness witness;
  witness.programs = {program.program};
  return witness;
}

} // namespace retest
