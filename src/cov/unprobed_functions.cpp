#include "cov/unprobed_functions.h"

#include "graph/program_calls.h"

namespace retest {

namespace {

class UnprobedFunctions {
public:
  UnprobedFunctions(const Project &project, const Names &names, const ProbedCoverage &probed,
                    std::size_t testCount)
      : project_(project), names_(names), probed_(probed), tests_(project.functions.size()),
        isRooted_(project.functions.size()), reached_(project.functions.size()) {
    for (std::size_t i = 0; i < tests_.size(); ++i)
      if (!probed.isProbed[i])
        tests_[i].resize(testCount);
  }

  std::vector<TestSet> find() {
    for (const ProgramGraph &program : project_.programs)
      addProgram(program);
    spread();
    addUncalled();
    spread();
    return std::move(tests_);
  }

private:
  /// A place where a class makes a complete object.
  struct Site {
    FunctionId function;
    NodeId node;
  };
  using Sites = llvm::DenseMap<std::uint32_t, std::vector<Site>>; ///< by name of the class

  bool isUnprobed(FunctionId function) const { return !probed_.isProbed[function.value]; }

  void addTests(FunctionId target, const TestSet &tests) {
    TestSet &known = tests_[target.value];
    if (isRooted_.test(target.value) && !tests.test(known))
      return; // nothing new
    isRooted_.set(target.value);
    known |= tests;
    pending_.push_back(target);
  }

  /// Whoever is at `node` of `source` may enter `target`.
  void addSource(FunctionId target, FunctionId source, NodeId node) {
    if (!isUnprobed(target))
      return;
    if (isUnprobed(source))
      reached_[source.value].push_back(target);
    else
      addTests(target, probed_.testsAt(source, node));
  }

  void addProgram(const ProgramGraph &program) {
    ProgramCalls calls(project_, program, names_);
    TestSet all = probed_.testsOf(program);
    Sites sites;
    std::vector<FunctionId> functions = functionsOf(project_, program);
    for (FunctionId id : functions) {
      const Function &function = project_[id];
      if (function.kind == FunctionKind::Initialiser && isUnprobed(id))
        addTests(id, all);
      for (const CallEdge &edge : calls.callEdges(id))
        if (edge.target.isValid())
          addSource(edge.target, id, edge.from);
      addUses(program, id, sites);
    }
    for (UnitId unit : unitsOf(program))
      for (VariableId variable : project_[unit].variables)
        for (const Use &use : project_[variable].uses)
          if (use.kind == UseKind::Address)
            for (FunctionId target : meaningsOf(project_, program, use.entity, {unit}))
              if (isUnprobed(target))
                addTests(target, all);
    for (FunctionId id : functions)
      addConstructions(calls.virtualCalls(), id, sites);
  }

  void addUses(const ProgramGraph &program, FunctionId id, Sites &sites) {
    const FlowGraph &flow = project_[id].flow;
    for (std::uint32_t node = 0; node < flow.nodes.size(); ++node)
      for (const Use &use : flow.nodes[node].uses) {
        if (use.kind == UseKind::Constructs)
          sites[use.entity.value].push_back({id, {node}});
        if (use.kind == UseKind::Address)
          for (FunctionId target :
               meaningsOf(project_, program, use.entity, unitsWith(project_, program, id)))
            addSource(target, id, {node});
      }
  }

  /// Destructors run when objects end, virtual methods whenever somebody has the object.
  void addConstructions(VirtualCalls &hierarchy, FunctionId id, const Sites &sites) {
    const Function &function = project_[id];
    if (!isUnprobed(id) || !function.ofClass.isValid() ||
        (!function.isVirtual && function.kind != FunctionKind::Destructor))
      return;
    auto addClass = [&](NameId name) {
      if (auto found = sites.find(name.value); found != sites.end())
        for (const Site &site : found->second)
          addSource(id, site.function, site.node);
    };
    addClass(function.ofClass);
    if (!function.isVirtual)
      return;
    llvm::DenseSet<std::uint32_t> seen;
    std::vector<ClassId> pending;
    for (ClassId type : hierarchy.classes())
      if (project_[type].name == function.ofClass)
        pending.push_back(type);
    while (!pending.empty()) {
      ClassId type = pending.back();
      pending.pop_back();
      if (!seen.insert(type.value).second)
        continue;
      addClass(project_[type].name);
      llvm::append_range(pending, hierarchy.derivedFrom(type));
    }
  }

  /// Those that no function with probes leads to, as far as we see, nor an initialiser.
  void addUncalled() {
    llvm::BitVector isCalled = isRooted_;
    for (const ProgramGraph &program : project_.programs) {
      TestSet all = probed_.testsOf(program);
      for (FunctionId id : functionsOf(project_, program))
        if (isUnprobed(id) && !isCalled.test(id.value))
          addTests(id, all);
    }
  }

  void spread() {
    while (!pending_.empty()) {
      FunctionId source = pending_.back();
      pending_.pop_back();
      for (FunctionId target : reached_[source.value])
        addTests(target, tests_[source.value]);
    }
  }

  const Project &project_;
  const Names &names_;
  const ProbedCoverage &probed_;
  std::vector<TestSet> tests_; ///< by function
  llvm::BitVector isRooted_;   ///< by function: a way leads there from something with tests
  std::vector<std::vector<FunctionId>> reached_; ///< from functions without probes to such
  std::vector<FunctionId> pending_;
};

} // namespace

std::vector<TestSet> testsOfUnprobed(const Project &project, const Names &names,
                                     const ProbedCoverage &probed, std::size_t testCount) {
  return UnprobedFunctions(project, names, probed, testCount).find();
}

} // namespace retest
