#include "diff/granularity.h"

#include <map>
#include <set>

namespace retest {
namespace {

/// Why a function, or a file, counts as a whole, and in which programs.
struct Mark {
  Reason reason;
  std::set<std::uint32_t> programs;
  bool isInAll = false;

  void add(llvm::ArrayRef<std::uint32_t> more) {
    isInAll |= more.empty();
    programs.insert(more.begin(), more.end());
  }
  /// As in DangerousEdge: empty means all.
  std::vector<std::uint32_t> list() const {
    return isInAll ? std::vector<std::uint32_t>() : std::vector(programs.begin(), programs.end());
  }
};

class Coarsening {
public:
  Coarsening(const Delta &delta, const Project &baseline, const Project &current,
             const Names &names)
      : delta_(delta), baseline_(baseline), current_(current), names_(names) {}

  void markFunctions() {
    for (const DangerousEdge &edge : delta_.edges)
      mark(functions_, edge.function, edge.reason, edge.programs);
    for (const FunctionChange &change : delta_.functions)
      if (change.kind == FunctionChangeKind::Changed || change.kind == FunctionChangeKind::Removed)
        if (!functions_.contains(change.baseline)) // its edges know in which programs
          mark(functions_, change.baseline, reasonOf(change), {});
  }

  /// REQUIRES: markFunctions was called.
  void markFiles() {
    std::map<NameId, Mark> files;
    for (const auto &[function, found] : functions_)
      markFile(files, baseline_[function].where.begin.file, found.reason, found.list());
    // What came, or moved here, is a change of the file, and so is what made an edge dangerous.
    for (const FunctionChange &change : delta_.functions) {
      if (change.baseline.isValid() && !functions_.contains(change.baseline))
        markFile(files, baseline_[change.baseline].where.begin.file, reasonOf(change), {});
      if (change.kind == FunctionChangeKind::Added || change.kind == FunctionChangeKind::Moved)
        markFile(files, current_[change.current].where.begin.file, reasonOf(change), {});
    }
    for (const DangerousEdge &edge : delta_.edges)
      markFile(files, edge.reason.where.file, edge.reason, edge.programs);
    for (const DangerousClassEntry &entry : delta_.classEntries)
      markFile(files, entry.reason.where.file, entry.reason, entry.programs);
    for (const DangerousProgram &program : delta_.programs)
      markFile(files, program.reason.where.file, program.reason, {program.program});

    for (std::uint32_t id = 0; id < baseline_.functions.size(); ++id)
      if (auto file = files.find(baseline_.functions[id].where.begin.file); file != files.end())
        mark(functions_, FunctionId{id}, file->second.reason, file->second.list());
  }

  std::vector<DangerousEdge> edges() const {
    std::vector<DangerousEdge> edges;
    for (const auto &[function, found] : functions_)
      edges.push_back({function, EdgePlace::Entry, 0, {}, {}, found.reason, found.list()});
    return edges;
  }

private:
  template <class Key>
  static void mark(std::map<Key, Mark> &marks, Key key, const Reason &reason,
                   llvm::ArrayRef<std::uint32_t> programs) {
    // The first reason is kept: that of the function's own first edge, where it has one.
    marks.try_emplace(key, Mark{reason, {}, false}).first->second.add(programs);
  }

  void markFile(std::map<NameId, Mark> &files, NameId file, const Reason &reason,
                llvm::ArrayRef<std::uint32_t> programs) const {
    if (file.isValid() && !names_.text(file).starts_with("/"))
      mark(files, file, reason, programs);
  }

  Reason reasonOf(const FunctionChange &change) const {
    if (change.current.isValid())
      return {ChangeKind::Statement, {}, current_[change.current].where.begin, false, {}, {}};
    const Function &gone = baseline_[change.baseline];
    return {ChangeKind::Definition, gone.name, gone.where.begin, true, {}, {}};
  }

  const Delta &delta_;
  const Project &baseline_, &current_;
  const Names &names_;
  std::map<FunctionId, Mark> functions_;
};

} // namespace

Delta coarsened(Delta delta, const Project &baseline, const Project &current, const Names &names,
                Granularity granularity) {
  if (granularity == Granularity::Edges)
    return delta;
  Coarsening coarsening(delta, baseline, current, names);
  coarsening.markFunctions();
  if (granularity == Granularity::Files)
    coarsening.markFiles();
  delta.edges = coarsening.edges();
  return delta;
}

} // namespace retest
