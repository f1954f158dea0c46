#include "diff/comparison.h"
#include "graph/unit_references.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseSet.h>

namespace retest {
namespace {

/// What the initialiser of a unit does.
struct InitialWork {
  /// What it runs, in order, apart from telling a test framework of tests: that concerns those
  /// tests alone. Where a suite begins or ends, others are meant as well.
  std::vector<NameId> steps;
  /// The tests that it tells of, by name (or by that of the registration, if it has many), with the
  /// number of suites that have begun or ended before: the decorators of a suite are those of the
  /// tests behind it.
  std::map<std::string, std::vector<unsigned>> suites;

  bool isEmpty() const { return steps.empty(); }
};

InitialWork workOf(const Project &project, UnitId id) {
  const ProjectUnit &unit = project[id];
  InitialWork work;
  if (!unit.initialiser.isValid())
    return work;
  llvm::DenseMap<std::uint32_t, const Function *> registrations;
  for (FunctionId function : unit.functions)
    if (project[function].isTestRegistration)
      registrations[project[function].name.value] = &project[function];
  unsigned suites = 0;
  for (const Node &node : project[unit.initialiser].flow.nodes) {
    if (!node.call.callee.isValid())
      continue;
    const Function *registration = registrations.lookup(node.call.callee.value);
    if (registration && !registration->registeredTest.empty()) {
      std::string name = hasOneTest(*registration) ? registration->registeredTest
                                                   : fmt::format("#{}", registration->name.value);
      work.suites[name].push_back(suites);
      continue;
    }
    suites += registration != nullptr;
    work.steps.push_back(node.call.callee);
  }
  return work;
}

/// A test that only one of them tells of is new, or gone, and concerns no other.
bool isSame(const InitialWork &baseline, const InitialWork &current) {
  return baseline.steps == current.steps && llvm::all_of(baseline.suites, [&](const auto &test) {
           auto now = current.suites.find(test.first);
           return now == current.suites.end() || now->second == test.second;
         });
}

/// What code refers to, each answer found once for all programs.
class References {
public:
  explicit References(const Comparison &comparison) : comparison_(comparison) {}

  const UnitReferences &of(UnitId currentUnit) {
    auto [known, isNew] = units_.try_emplace(currentUnit);
    if (isNew)
      known->second =
          referencesOf(comparison_.current, comparison_.current[currentUnit], comparison_.names);
    return known->second;
  }

  /// All names that the changed functions and variables mention, in either version.
  const std::vector<NameId> &changed() {
    if (!changed_)
      changed_ = findChanged();
    return *changed_;
  }

private:
  std::vector<NameId> findChanged() const;
  void addFunction(const Project &project, FunctionId id, std::vector<NameId> &names) const;
  static void addVariables(const Project &project, UnitId unit, const Project &other,
                           UnitId counterpart, std::vector<NameId> &names);
  void addVirtualMethods(std::vector<NameId> &names) const;

  const Comparison &comparison_;
  std::map<UnitId, UnitReferences> units_;
  std::optional<std::vector<NameId>> changed_;
};

std::vector<NameId> References::findChanged() const {
  std::vector<NameId> found;
  const Project &baseline = comparison_.baseline, &current = comparison_.current;
  for (const FunctionChange &change : comparison_.delta.functions) {
    addFunction(baseline, change.baseline, found);
    addFunction(current, change.current, found);
  }
  for (UnitPair unit : comparison_.units) {
    addVariables(baseline, unit.baseline, current, unit.current, found);
    addVariables(current, unit.current, baseline, unit.baseline, found);
  }
  addVirtualMethods(found);
  return found;
}

void References::addFunction(const Project &project, FunctionId id,
                             std::vector<NameId> &names) const {
  if (!id.isValid())
    return;
  for (const Node &node : project[id].flow.nodes) {
    if (node.call.callee.isValid())
      names.push_back(node.call.callee);
    for (const Use &use : node.uses)
      names.push_back(use.entity);
  }
}

/// What the variables name that only this version of the unit has.
void References::addVariables(const Project &project, UnitId unit, const Project &other,
                              UnitId counterpart, std::vector<NameId> &names) {
  if (!unit.isValid())
    return;
  std::set<std::pair<NameId, Fingerprint>> known;
  if (counterpart.isValid())
    for (VariableId id : other[counterpart].variables)
      known.insert({other[id].name, other[id].fingerprint});
  for (VariableId id : project[unit].variables)
    if (!known.contains({project[id].name, project[id].fingerprint}))
      for (const Use &use : project[id].uses)
        names.push_back(use.entity);
}

/// Who constructs an object refers to all its virtual methods.
void References::addVirtualMethods(std::vector<NameId> &names) const {
  llvm::DenseSet<std::uint32_t> classes;
  for (NameId name : names)
    classes.insert(name.value);
  for (const Class &type : comparison_.current.classes)
    if (classes.contains(type.name.value))
      for (const VirtualMethod &method : type.virtualMethods)
        names.push_back(method.name);
}

/// Static initialisation of one program: it runs before every test.
class InitialiserComparison {
public:
  InitialiserComparison(Comparison &comparison, ProgramPair pair, References &references)
      : comparison_(comparison), references_(references), baseline_(comparison.baseline),
        current_(comparison.current), pair_(pair), before_(comparison.baselineProgram(pair)),
        after_(comparison.currentProgram(pair)) {}

  void run() {
    if (comparison_.rules(Rule::Initialisers))
      pair_.hasSameUnits ? compareChangedUnits() : compareSequences();
    if (comparison_.rules(Rule::PossibleMembers))
      comparePossibleMembers();
  }

private:
  void mark(NameId unit, SourcePosition where = {}) {
    comparison_.addProgram(pair_.baseline, {ChangeKind::Initialisers, unit, where, false, {}, {}});
  }

  struct Step {
    UnitId unit;
    Presence presence;
    NameId image; ///< the initialisers of a library run before those of who loads it
  };

  static std::vector<Step> stepsOf(const Project &project, const ProgramGraph &program) {
    std::vector<Step> steps;
    for (const ProgramUnit &unit : program.units)
      if (project[unit.unit].initialiser.isValid() && !workOf(project, unit.unit).isEmpty())
        steps.push_back({unit.unit, unit.presence, program.images[unit.image]});
    return steps;
  }

  bool isSameStep(const Step &old, const Step &now) const {
    return comparison_.counterpart(old.unit) == now.unit && old.presence == now.presence &&
           old.image == now.image &&
           isSame(workOf(baseline_, old.unit), workOf(current_, now.unit));
  }

  /// Made of the same units, a program can differ only in what those that changed do.
  void compareChangedUnits() {
    llvm::DenseSet<std::uint32_t> members;
    for (const ProgramUnit &unit : before_.units)
      members.insert(unit.unit.value);
    for (UnitPair unit : comparison_.units)
      if (unit.baseline.isValid() && unit.current.isValid() &&
          members.contains(unit.baseline.value) &&
          !isSame(workOf(baseline_, unit.baseline), workOf(current_, unit.current)))
        mark(current_[unit.current].name);
  }

  /// The first unit that enters, leaves, changes its place or does something else.
  void compareSequences() {
    std::vector<Step> old = stepsOf(baseline_, before_), now = stepsOf(current_, after_);
    for (std::size_t i = 0; i < std::max(old.size(), now.size()); ++i) {
      if (i >= old.size())
        return mark(current_[now[i].unit].name);
      if (i >= now.size() || !isSameStep(old[i], now[i]))
        return mark(baseline_[old[i].unit].name);
    }
  }

  /// Whether an archive member is in the program may hang on what the compiler does with a
  /// reference. It is the same in both versions unless code that changed refers to the member.
  void comparePossibleMembers() {
    std::vector<UnitId> possible;
    for (const ProgramUnit &unit : after_.units)
      if (unit.presence == Presence::Possible)
        possible.push_back(unit.unit);
    if (possible.empty())
      return;
    llvm::DenseMap<std::uint32_t, llvm::SmallVector<UnitId, 1>> definedIn;
    for (UnitId unit : possible)
      for (NameId name : references_.of(unit).defined)
        definedIn[name.value].push_back(unit);
    std::set<UnitId> unsure;
    std::vector<NameId> pending = references_.changed();
    while (!pending.empty()) {
      NameId name = pending.back();
      pending.pop_back();
      for (UnitId unit : definedIn.lookup(name.value))
        if (unsure.insert(unit).second)
          llvm::append_range(pending, references_.of(unit).possible);
    }
    for (UnitId unit : unsure)
      if (!workOf(current_, unit).isEmpty()) {
        mark(current_[unit].name);
        comparison_.addDoubt(fmt::format(
            "{}: changed code decides whether the linker takes it, and its initialiser, into {}",
            comparison_.names.text(current_[unit].name).str(),
            comparison_.names.text(after_.name).str()));
      }
  }

  Comparison &comparison_;
  References &references_;
  const Project &baseline_, &current_;
  ProgramPair pair_;
  const ProgramGraph &before_, &after_;
};

} // namespace

void compareInitialisers(Comparison &comparison) {
  References references(comparison);
  for (ProgramPair pair : comparison.programs)
    InitialiserComparison(comparison, pair, references).run();
}

} // namespace retest
