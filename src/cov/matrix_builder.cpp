#include "cov/matrix_builder.h"

#include "cov/omitted_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

#include <set>

namespace retest {

MatrixBuilder::MatrixBuilder(const Project &project, const Names &names,
                             std::vector<RecordedTest> tests)
    : project_(project), names_(names), isCounted_(project.functions.size()),
      isUnemitted_(project.functions.size()) {
  matrix_.tests = std::move(tests);
  classes_[{}] = CoverageClassId{0};
}

void MatrixBuilder::addProbed(FunctionId function) { isCounted_[function.value] = true; }

void MatrixBuilder::addUnreliable(FunctionId function) { unreliable_.push_back(function); }

void MatrixBuilder::addUnemitted(FunctionId function) { isUnemitted_[function.value] = true; }

void MatrixBuilder::addUncounted(UnitId unit) { uncounted_.push_back(unit); }

void MatrixBuilder::addCrossed(FunctionId function, const llvm::BitVector &edges,
                               llvm::ArrayRef<std::uint32_t> tests) {
  Pattern pattern{edges, TestSet(matrix_.tests.size())};
  for (std::uint32_t test : tests)
    if (matrix_.tests[test].unmeasured.empty())
      pattern.tests.set(test);
  if (pattern.tests.any())
    patterns_[function.value].push_back(std::move(pattern));
}

TestSet MatrixBuilder::testsAt(FunctionId function, NodeId node) const {
  TestSet tests(matrix_.tests.size());
  auto found = patterns_.find(function.value);
  if (found == patterns_.end())
    return tests;
  llvm::BitVector leadsThere(project_[function].flow.edges.size());
  for (std::uint32_t i = 0; i < leadsThere.size(); ++i)
    leadsThere[i] = project_[function].flow.edges[i].to == node;
  bool isRoot = leadsThere.none(); // the entry; what no edge leads to
  for (const Pattern &pattern : found->second)
    if (isRoot || pattern.edges.anyCommon(leadsThere))
      tests |= pattern.tests;
  return tests;
}

TestSet MatrixBuilder::testsOf(const ProgramGraph &program) const {
  llvm::StringRef name = names_.text(program.name);
  TestSet tests(matrix_.tests.size());
  for (std::uint32_t i = 0; i < matrix_.tests.size(); ++i)
    if (matrix_.tests[i].unmeasured.empty() && llvm::is_contained(matrix_.tests[i].programs, name))
      tests.set(i);
  return tests;
}

CoverageClassId MatrixBuilder::classOf(const TestSet &tests) {
  std::vector<TestId> ids;
  for (unsigned test : tests.set_bits())
    ids.push_back({test});
  auto next = static_cast<std::uint32_t>(matrix_.classes.size());
  auto [entry, isNew] = classes_.try_emplace(std::move(ids), CoverageClassId{next});
  if (isNew)
    matrix_.classes.push_back(entry->first);
  return entry->second;
}

FunctionCoverage MatrixBuilder::rowOf(FunctionId function, const TestSet *unprobed) {
  FunctionCoverage row;
  std::size_t edges = project_[function].flow.edges.size();
  if (unprobed) {
    row.entry = classOf(*unprobed);
    row.edges.assign(edges, row.entry);
    return row;
  }
  const std::vector<Pattern> &patterns = patterns_[function.value];
  // Edges of the same patterns have the same tests.
  std::map<std::vector<bool>, CoverageClassId> known;
  auto classOfPatterns = [&](const std::vector<bool> &chosen) {
    auto [entry, isNew] = known.try_emplace(chosen);
    if (isNew) {
      TestSet tests(matrix_.tests.size());
      for (std::size_t i = 0; i < patterns.size(); ++i)
        if (chosen[i])
          tests |= patterns[i].tests;
      entry->second = classOf(tests);
    }
    return entry->second;
  };
  row.entry = classOfPatterns(std::vector<bool>(patterns.size(), true));
  for (std::uint32_t edge = 0; edge < edges; ++edge) {
    std::vector<bool> chosen;
    for (const Pattern &pattern : patterns)
      chosen.push_back(pattern.edges.test(edge));
    row.edges.push_back(classOfPatterns(chosen));
  }
  return row;
}

void MatrixBuilder::addUnits(const std::vector<TestSet> &unprobed) {
  for (std::uint32_t index = 0; index < project_.units.size(); ++index) {
    const ProjectUnit &unit = project_.units[index];
    UnitCoverage coverage;
    coverage.unit = names_.text(unit.name).str();
    for (std::uint32_t place = 0; place < unit.functions.size(); ++place) {
      FunctionId function = unit.functions[place];
      if (project_.functionUnits[function.value] != UnitId{index})
        continue;
      if (isCounted_[function.value])
        coverage.counted.push_back(place);
      bool isProbed = isProbed_[function.value];
      if (isProbed ? !patterns_.contains(function.value) : unprobed[function.value].none())
        continue;
      coverage.functions.push_back(place);
      coverage.rows.push_back(rowOf(function, isProbed ? nullptr : &unprobed[function.value]));
    }
    if (!coverage.functions.empty() || !coverage.counted.empty())
      matrix_.units.push_back(std::move(coverage));
  }
}

namespace {

/// By name, as classes of all units.
using ClassNames = std::map<std::string, std::set<std::string>>;

void addWithDerived(const std::string &name, const ClassNames &derived,
                    std::set<std::string> &all) {
  if (!all.insert(name).second)
    return;
  if (auto found = derived.find(name); found != derived.end())
    for (const std::string &each : found->second)
      addWithDerived(each, derived, all);
}

/// Whether the name is that of a destructor outside of the project, or of a constructor without
/// arguments or with another object of its class: "ns::Box<int>::Box(const ns::Box<int> &)". In
/// doubt it is not. A destructor of the project may have been told meanwhile whose member it
/// destroys.
bool knowsNoOwner(llvm::StringRef name, const llvm::StringSet<> &destructors) {
  std::size_t open = name.size();
  for (int depth = 0; open > 0; --open) {
    depth += name[open - 1] == ')' ? 1 : name[open - 1] == '(' ? -1 : 0;
    if (depth == 0)
      break;
  }
  if (open == 0 || !name.ends_with(")"))
    return false;
  auto [type, method] = name.take_front(open - 1).rsplit("::");
  llvm::StringRef parameter = name.drop_front(open).drop_back();
  llvm::StringRef plain = type.split('<').first;
  llvm::StringRef last = plain.contains("::") ? plain.rsplit("::").second : plain;
  if (method.starts_with("~"))
    return !destructors.contains(name);
  parameter.consume_front("const ");
  if (!parameter.consume_back(" &&"))
    parameter.consume_back(" &");
  return method == last && (parameter.empty() || parameter == type);
}

/// Whether something that the constructor or destructor calls may use the object as it is now. What
/// the compiler writes does so in the initialisers of members: `int x = virtualMethod();`.
bool makesCalls(const Function &function, const Names &names,
                const llvm::StringSet<> &destructors) {
  return llvm::any_of(function.flow.nodes, [&](const Node &node) {
    return node.kind == NodeKind::Call &&
           (!function.isImplicit || node.call.kind != CallKind::Direct ||
            !knowsNoOwner(names.text(node.call.callee), destructors));
  });
}

} // namespace

/// Objects of a class are made by the nodes that construct it. While the constructor or destructor
/// of a base runs, an object of a derived class is one of the base; that matters if it, or one
/// further up, calls something (DESIGN 2.4, rule 9).
void MatrixBuilder::addConstructed(const std::vector<TestSet> &unprobed) {
  std::map<std::string, TestSet> tests;
  auto addMade = [&](NameId name, const TestSet &makers) {
    TestSet &known = tests[names_.text(name).str()];
    known.resize(matrix_.tests.size());
    known |= makers;
  };
  llvm::StringSet<> destructors;
  for (const Function &function : project_.functions)
    if (function.kind == FunctionKind::Destructor)
      destructors.insert(names_.text(function.name));
  std::set<std::string> callers; // classes that call something while they are constructed
  for (std::uint32_t id = 0; id < project_.functions.size(); ++id) {
    const Function &function = project_.functions[id];
    if ((function.kind == FunctionKind::Constructor || function.kind == FunctionKind::Destructor) &&
        makesCalls(function, names_, destructors))
      callers.insert(names_.text(function.ofClass).str());
    for (std::uint32_t node = 0; node < function.flow.nodes.size(); ++node)
      for (const Use &use : function.flow.nodes[node].uses)
        if (use.kind == UseKind::Constructs)
          addMade(use.entity, isProbed_[id] ? testsAt({id}, {node}) : unprobed[id]);
  }
  for (const ProgramGraph &program : project_.programs)
    for (NameId name : constructedByCompiler(project_, program))
      addMade(name, testsOf(program));
  ClassNames derived;
  for (const Class &type : project_.classes)
    for (const BaseClass &base : type.bases)
      derived[names_.text(base.name).str()].insert(names_.text(type.name).str());
  std::set<std::string> duringConstruction;
  for (const std::string &caller : callers)
    addWithDerived(caller, derived, duringConstruction);
  std::map<std::string, TestSet> all = tests;
  for (const std::string &base : duringConstruction) {
    std::set<std::string> below;
    addWithDerived(base, derived, below);
    TestSet &known = all[base];
    known.resize(matrix_.tests.size());
    for (const std::string &name : below)
      if (auto found = tests.find(name); found != tests.end())
        known |= found->second;
  }
  for (auto &[name, set] : all)
    if (set.any())
      matrix_.constructed.push_back({name, classOf(set)});
}

CoverageMatrix MatrixBuilder::finish() {
  isProbed_ = isCounted_;
  std::vector<bool> isUncounted = isCounted_;
  isUncounted.flip();
  for (FunctionId function : functionsWithOmittedCalls(project_))
    isProbed_[function.value] = false;
  for (FunctionId function : unreliable_)
    isProbed_[function.value] = false;
  for (UnitId unit : uncounted_)
    for (FunctionId function : project_[unit].functions) {
      isProbed_[function.value] = false;
      isUncounted[function.value] = true;
      isUnemitted_[function.value] = false; // what other units say of it does not hold here
    }
  auto at = [this](FunctionId function, NodeId node) { return testsAt(function, node); };
  auto of = [this](const ProgramGraph &program) { return testsOf(program); };
  std::vector<TestSet> unprobed = testsOfUnprobed(
      project_, names_, {isProbed_, isUncounted, isUnemitted_, at, of}, matrix_.tests.size());
  addUnits(unprobed);
  addConstructed(unprobed);
  return std::move(matrix_);
}

} // namespace retest
