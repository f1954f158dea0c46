#include "tests/cov/recorded_by_hand.h"

#include "cov/matrix_builder.h"
#include "graph/link_program.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

namespace retest {

namespace {

llvm::SmallVector<llvm::StringRef> linesOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef &line : lines)
    line = line.trim();
  llvm::erase_if(lines, [](llvm::StringRef line) { return line.empty(); });
  return lines;
}

/// The words before functions that the notation of units does not have.
constexpr const char *kWords[] = {"implicit ", "constexpr ", "in place ", "unemitted "};
using Marked = std::map<llvm::StringRef, llvm::StringSet<>>; ///< names by word

/// Takes the words out.
std::string unmarked(llvm::StringRef text, Marked &marked) {
  std::string plain;
  for (llvm::StringRef line : linesOf(text)) {
    for (llvm::StringRef word : kWords)
      if (line.consume_front(word)) {
        marked[word.rtrim()].insert(line.split(": ").first);
        plain += "weak ";
      }
    plain += line.str() + "\n";
  }
  return plain;
}

UnitGraph unitByHand(const UnitText &text, Names &names) {
  Marked marked;
  std::string plain = unmarked(text.text, marked);
  UnitGraph graph = unit(text.name, plain, names);
  for (Function &function : graph.functions) {
    llvm::StringRef name = names.text(function.name);
    function.isDoneInPlace = marked["in place"].contains(name);
    function.isImplicit = function.isDoneInPlace || marked["implicit"].contains(name);
    function.isConstexpr = marked["constexpr"].contains(name);
    auto [type, method] = name.split('(').first.rsplit("::");
    if (type == method) {
      function.kind = FunctionKind::Constructor;
      function.ofClass = names.intern(type);
    }
    if (function.linkage != Linkage::Weak)
      continue;
    function.where = {};
    for (Node &node : function.flow.nodes)
      for (Element &element : node.elements)
        element.where = {};
  }
  for (const Class &type : graph.classes)
    for (const VirtualMethod &method : type.virtualMethods)
      for (Function &function : graph.functions)
        if (function.name == method.name) {
          function.isVirtual = true;
          function.ofClass = type.name;
        }
  for (Variable &variable : graph.variables)
    for (Use &use : variable.uses)
      if (llvm::StringRef name = names.text(use.entity); name.consume_front("make "))
        use = {UseKind::Constructs, names.intern(name.str())};
  return graph;
}

using CrossedByName = std::map<std::string, llvm::BitVector>;

/// "main()* + f()#1"
CrossedByName crossedOf(llvm::StringRef text, const Project &project, const Names &names) {
  CrossedByName crossed;
  llvm::SmallVector<llvm::StringRef> items;
  text.split(items, " + ");
  for (llvm::StringRef item : items) {
    item = item.trim();
    bool isAll = item.consume_back("*");
    unsigned edge = 0;
    auto [name, number] = item.rsplit('#');
    bool hasEdge = !number.getAsInteger(10, edge);
    llvm::BitVector &edges = crossed[name.str()];
    edges.resize(project[function(project, name, names)].flow.edges.size());
    if (isAll)
      edges.set();
    else if (hasEdge)
      edges.set(edge);
  }
  return crossed;
}

} // namespace

Project linkedByHand(llvm::ArrayRef<UnitText> units, llvm::StringRef plan, Names &names) {
  std::vector<UnitGraph> graphs;
  for (const UnitText &text : units)
    graphs.push_back(unitByHand(text, names));
  return linkProject(std::move(graphs), programPlan(plan, names), names);
}

CoverageMatrix matrixByHand(const Project &project, const Names &names, llvm::StringRef tests,
                            const llvm::StringSet<> &unemitted) {
  std::vector<RecordedTest> recorded;
  std::vector<CrossedByName> crossed;
  for (llvm::StringRef line : linesOf(tests)) {
    std::size_t end = line.find_first_of(":!", line.find("::") + 2);
    auto [program, name] = line.take_front(end).split("::");
    RecordedTest &test = recorded.emplace_back();
    test.binary = program.str();
    test.name = name.str();
    test.programs = {test.binary};
    test.unmeasured = line[end] == '!' ? "it was not" : "";
    crossed.push_back(crossedOf(line.drop_front(end + 1), project, names));
  }

  MatrixBuilder builder(project, names, recorded);
  for (std::uint32_t id = 0; id < project.functions.size(); ++id)
    if (const Function &function = project.functions[id];
        !function.isExternal && !function.isImplicit &&
        function.kind != FunctionKind::Initialiser) {
      if (unemitted.contains(names.text(function.name)))
        builder.addUnemitted({id});
      else
        builder.addProbed({id});
    }
  for (std::uint32_t unit = 0; unit < project.units.size(); ++unit)
    if (names.text(project.units[unit].name).starts_with("uncounted"))
      builder.addUncounted({unit});
  for (std::uint32_t test = 0; test < crossed.size(); ++test)
    for (const auto &[name, edges] : crossed[test])
      builder.addCrossed(function(project, name, names), edges, {test});
  return builder.finish();
}

RecordedByHand::RecordedByHand(llvm::ArrayRef<UnitText> units, llvm::StringRef plan,
                               llvm::StringRef tests)
    : project(linkedByHand(units, plan, names)) {
  Marked marked;
  for (const UnitText &text : units)
    unmarked(text.text, marked);
  matrix = matrixByHand(project, names, tests, marked["unemitted"]);
}

const FunctionCoverage *RecordedByHand::rowOf(llvm::StringRef name) const {
  for (const UnitCoverage &coverage : matrix.units)
    for (const ProjectUnit &unit : project.units)
      if (names.text(unit.name) == coverage.unit)
        for (std::size_t i = 0; i < coverage.functions.size(); ++i)
          if (names.text(project[unit.functions[coverage.functions[i]]].name) == name)
            return &coverage.rows[i];
  return nullptr;
}

std::string RecordedByHand::show(CoverageClassId id) const {
  std::string text;
  for (TestId test : matrix.classes[id.value])
    text += (text.empty() ? "" : " ") + matrix.tests[test.value].name;
  return text.empty() ? "-" : text;
}

std::string RecordedByHand::who(llvm::StringRef name, int edge) const {
  const FunctionCoverage *row = rowOf(name);
  return row ? show(edge < 0 ? row->entry : row->edges[edge]) : "-";
}

std::string RecordedByHand::makers(llvm::StringRef type) const {
  for (const ClassCoverage &coverage : matrix.constructed)
    if (coverage.name == type)
      return show(coverage.constructed);
  return "-";
}

} // namespace retest
