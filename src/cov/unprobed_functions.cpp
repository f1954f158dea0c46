#include "cov/unprobed_functions.h"

#include "cov/module_probes.h"
#include "graph/program_calls.h"

#include <set>

namespace retest {

namespace {

class UnprobedFunctions {
public:
  UnprobedFunctions(const Project &project, const Names &names, const ProbedCoverage &probed,
                    std::size_t testCount)
      : project_(project), names_(names), probed_(probed), tests_(project.functions.size()),
        reached_(project.functions.size()) {
    for (std::uint32_t i = 0; i < tests_.size(); ++i)
      if (!probed.isProbed[i]) {
        tests_[i].resize(testCount);
        addTests({i}, probed.testsAt({i}, {0}));
      }
  }

  std::vector<TestSet> find() {
    for (const ProgramGraph &program : project_.programs)
      addProgram(program);
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

  /// Which functions without probes of one program something leads to.
  struct Ways {
    std::vector<FunctionId> roots; ///< from something with tests, be there none
    std::vector<std::pair<FunctionId, FunctionId>> steps; ///< from one without probes to another
  };

  bool isUnprobed(FunctionId function) const { return !probed_.isProbed[function.value]; }

  void addTests(FunctionId target, const TestSet &tests) {
    TestSet &known = tests_[target.value];
    if (!tests.test(known))
      return; // nothing new
    known |= tests;
    pending_.push_back(target);
  }

  void addRoot(FunctionId target, const TestSet &tests) {
    ways_.roots.push_back(target);
    addTests(target, tests);
  }

  /// Whoever is at `node` of `source` may enter `target`.
  void addSource(FunctionId target, FunctionId source, NodeId node) {
    if (!isUnprobed(target))
      return;
    if (isUnprobed(source))
      ways_.steps.push_back({source, target});
    else
      addRoot(target, probed_.testsAt(source, node));
  }

  void addProgram(const ProgramGraph &program) {
    ProgramCalls calls(project_, program, names_);
    TestSet all = probed_.testsOf(program);
    Sites sites;
    ways_ = {};
    std::vector<FunctionId> functions = functionsOf(project_, program);
    for (FunctionId id : functions) {
      const Function &function = project_[id];
      if (function.kind == FunctionKind::Initialiser && isUnprobed(id))
        addRoot(id, all);
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
                addRoot(target, all);
    std::vector<NameId> fromStart = constructedByCompiler(project_, program);
    for (FunctionId id : functions)
      for (NameId type : classesThatRun(calls.virtualCalls(), id)) {
        if (auto found = sites.find(type.value); found != sites.end())
          for (const Site &site : found->second)
            addSource(id, site.function, site.node);
        if (project_[id].isVirtual && llvm::binary_search(fromStart, type))
          addRoot(id, all);
      }
    if (hasForeignCode(program))
      for (FunctionId id : functions)
        if (mayBeCalledByName(id))
          addRoot(id, all);
    addUncalled(functions, all);
  }

  static bool hasForeignCode(const ProgramGraph &program) {
    return !program.unread.empty() || llvm::any_of(program.files, [](const LinkFile &file) {
      return file.unitsBefore || file.content != Fingerprint{};
    });
  }

  bool mayBeCalledByName(FunctionId function) const {
    return isUnprobed(function) && probed_.isUncounted[function.value] &&
           !probed_.isUnemitted[function.value] && hasProbe(project_[function]) &&
           project_[function].linkage != Linkage::Internal;
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

  /// The classes whose objects run the function without a call: destructors when they end, virtual
  /// methods whenever somebody has the object. None of a function with probes.
  std::set<NameId> classesThatRun(VirtualCalls &hierarchy, FunctionId id) const {
    const Function &function = project_[id];
    std::set<NameId> names;
    if (!isUnprobed(id) || !function.ofClass.isValid() ||
        (!function.isVirtual && function.kind != FunctionKind::Destructor))
      return names;
    names.insert(function.ofClass);
    if (!function.isVirtual)
      return names;
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
      names.insert(project_[type].name);
      llvm::append_range(pending, hierarchy.derivedFrom(type));
    }
    return names;
  }

  /// Those of a program to which nothing leads there, as far as we see: all of its tests. Keeps the
  /// ways between the others.
  void addUncalled(llvm::ArrayRef<FunctionId> functions, const TestSet &all) {
    llvm::DenseMap<std::uint32_t, std::vector<FunctionId>> steps;
    for (auto [source, target] : ways_.steps) {
      steps[source.value].push_back(target);
      reached_[source.value].push_back(target);
    }
    llvm::BitVector isCalled(project_.functions.size());
    std::vector<FunctionId> pending = ways_.roots;
    while (!pending.empty()) {
      FunctionId function = pending.back();
      pending.pop_back();
      if (isCalled.test(function.value))
        continue;
      isCalled.set(function.value);
      llvm::append_range(pending, steps.lookup(function.value));
    }
    for (FunctionId id : functions)
      if (isUnprobed(id) && !isCalled.test(id.value) && !needsNoCaller(id))
        addTests(id, all);
  }

  /// Whether it may well be that nobody calls it.
  bool needsNoCaller(FunctionId function) const {
    return project_[function].isDoneInPlace || probed_.isUnemitted[function.value];
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
  std::vector<TestSet> tests_;                   ///< by function
  Ways ways_;                                    ///< of the program that is being added
  std::vector<std::vector<FunctionId>> reached_; ///< the steps of all programs, by their source
  std::vector<FunctionId> pending_;
};

} // namespace

std::vector<NameId> constructedByCompiler(const Project &project, const ProgramGraph &program) {
  std::set<NameId> classes;
  auto add = [&](llvm::ArrayRef<Use> uses) {
    for (const Use &use : uses)
      if (use.kind == UseKind::Constructs)
        classes.insert(use.entity);
  };
  for (UnitId unit : unitsOf(program))
    for (VariableId variable : project[unit].variables)
      add(project[variable].uses);
  for (FunctionId function : functionsOf(project, program))
    if (project[function].isConstexpr)
      for (const Node &node : project[function].flow.nodes)
        add(node.uses);
  return {classes.begin(), classes.end()};
}

std::vector<TestSet> testsOfUnprobed(const Project &project, const Names &names,
                                     const ProbedCoverage &probed, std::size_t testCount) {
  return UnprobedFunctions(project, names, probed, testCount).find();
}

} // namespace retest
