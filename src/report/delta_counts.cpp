#include "report/delta_counts.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>

#include <set>

namespace retest {

DeltaCounts countsOf(const Delta &delta, const Project &baseline) {
  DeltaCounts counts;
  std::set<FunctionId> changed, dangerous;
  for (const FunctionChange &change : delta.functions)
    switch (change.kind) {
    case FunctionChangeKind::Changed: // several times, where a name has several variants
      counts.changed += changed.insert(change.baseline).second;
      break;
    case FunctionChangeKind::Added:
      ++counts.added;
      break;
    case FunctionChangeKind::Removed:
      ++counts.removed;
      break;
    case FunctionChangeKind::Moved:
      ++counts.moved;
      break;
    }
  for (const DangerousEdge &edge : delta.edges)
    dangerous.insert(edge.function);
  std::set<std::uint32_t> programs;
  for (const DangerousProgram &program : delta.programs)
    programs.insert(program.program);
  counts.edges = delta.edges.size();
  counts.dangerousFunctions = dangerous.size();
  counts.classEntries = delta.classEntries.size();
  counts.programs = programs.size();
  counts.doubts = delta.doubts.size();
  counts.baselineFunctions = baseline.functions.size();
  for (const Function &function : baseline.functions)
    counts.baselineEdges += function.flow.edges.size();
  return counts;
}

bool isEmpty(const Delta &delta) {
  return delta.isHarmless() && delta.functions.empty() && delta.doubts.empty() &&
         delta.addedUnits.empty() && delta.removedUnits.empty() && delta.changedUnits.empty() &&
         delta.addedPrograms.empty() && delta.removedPrograms.empty();
}

std::string counted(std::size_t count, const char *one, const char *many) {
  return count == 1 ? fmt::format("1 {}", one)
                    : fmt::format("{} {}", count, many ? many : fmt::format("{}s", one));
}

std::string summaryOf(const DeltaCounts &counts) {
  std::vector<std::string> parts;
  const std::pair<std::size_t, const char *> functions[] = {{counts.changed, "changed"},
                                                            {counts.added, "added"},
                                                            {counts.removed, "removed"},
                                                            {counts.moved, "moved"}};
  for (auto [count, word] : functions)
    if (count != 0)
      parts.push_back(parts.empty() ? counted(count, "function") + " " + word
                                    : fmt::format("{} {}", count, word));
  if (parts.empty())
    parts.push_back("no function changed");
  if (counts.edges != 0)
    parts.push_back(counted(counts.edges, "dangerous edge") + " in " +
                    counted(counts.dangerousFunctions, "function"));
  if (counts.classEntries != 0)
    parts.push_back(
        counted(counts.classEntries, "dangerous class entry", "dangerous class entries"));
  if (counts.programs != 0)
    parts.push_back(counted(counts.programs, "program") + " dangerous as a whole");
  if (counts.edges + counts.classEntries + counts.programs == 0)
    parts.push_back("nothing dangerous");
  if (counts.doubts != 0)
    parts.push_back(counted(counts.doubts, "doubt"));
  return llvm::join(parts, ", ");
}

} // namespace retest
