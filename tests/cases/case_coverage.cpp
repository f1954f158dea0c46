#include "tests/cases/case_coverage.h"

#include "cov/matrix_builder.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {
namespace {

/// What a line says of one function: all ways through it, or some.
struct ReachedFunction {
  std::string name;
  bool isWhole = true;
  std::vector<std::string> edges;
};

struct CoverageLine {
  RecordedTest test;
  std::vector<ReachedFunction> functions;
  std::vector<std::string> makes;
};

/// At blanks that are in no parentheses and between no quotes.
std::vector<llvm::StringRef> itemsOf(llvm::StringRef text) {
  std::vector<llvm::StringRef> items;
  int depth = 0;
  bool isQuoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    char c = i < text.size() ? text[i] : ' ';
    isQuoted ^= c == '`';
    if (!isQuoted)
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ' ' || (i < text.size() && (depth > 0 || isQuoted)))
      continue;
    if (i > begin)
      items.push_back(text.slice(begin, i));
    begin = i + 1;
  }
  return items;
}

/// "f`x > 0 -T-> 1``x > 0 -F-> 2`"
ReachedFunction functionItem(llvm::StringRef item) {
  auto [name, rest] = item.split('`');
  ReachedFunction reached{name.str(), !item.contains('`'), {}};
  rest.consume_back("`");
  llvm::SmallVector<llvm::StringRef> edges;
  rest.split(edges, "``", -1, /*KeepEmpty=*/false);
  for (llvm::StringRef edge : edges)
    reached.edges.push_back(edge.str());
  return reached;
}

llvm::Expected<CoverageLine> lineOf(llvm::StringRef text, const Project &project,
                                    const Names &names) {
  std::size_t end = text.find_first_of(" !"); // "tool::adds: ...", "slow! why"
  llvm::StringRef id = text.take_front(end), rest = text.drop_front(id.size());
  bool isMeasured = !rest.starts_with("!");
  if (isMeasured && !id.consume_back(":"))
    return error("'{}': a line of coverage is a test, a colon, and what it reached", text.str());
  CoverageLine line;
  line.test.status = TestStatus::Passed;
  auto [program, name] = id.split("::");
  line.test.name = (name.empty() ? program : name).str();
  if (!name.empty()) {
    line.test.binary = program.str();
    line.test.framework = Framework::GoogleTest;
  }
  for (const ProgramGraph &each : project.programs)
    if (name.empty() || names.text(each.name) == program)
      for (NameId image : each.images)
        line.test.programs.push_back(names.text(image).str());
  if (line.test.programs.empty())
    return error("'{}': there is no such program", text.str());
  if (!isMeasured) {
    line.test.unmeasured = rest.drop_front().trim().str();
    return line;
  }
  for (llvm::StringRef item : itemsOf(rest.trim()))
    if (item.consume_front("makes:"))
      line.makes.push_back(item.str());
    else
      line.functions.push_back(functionItem(item));
  return line;
}

/// "ns::Box<int>::put(int) const" without its parameters.
llvm::StringRef withoutParameters(llvm::StringRef name) {
  std::size_t end = name.rfind(')');
  int depth = 0;
  for (std::size_t i = end; i != llvm::StringRef::npos && i + 1 > 0; --i) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (depth == 0)
      return name.take_front(i);
  }
  return name;
}

bool isProbed(const Function &function) {
  return !function.isExternal && !function.isImplicit && !function.isSystemHeader &&
         function.kind != FunctionKind::Initialiser;
}

llvm::Error addReached(const ReachedFunction &reached, std::uint32_t test, const DeltaView &view,
                       MatrixBuilder &builder) {
  bool isFound = false;
  std::size_t edgesFound = 0;
  for (std::uint32_t id = 0; id < view.baseline.functions.size(); ++id) {
    const Function &function = view.baseline.functions[id];
    llvm::StringRef name = view.names.text(function.name);
    if (!isProbed(function) || (name != reached.name && withoutParameters(name) != reached.name))
      continue;
    isFound = true;
    llvm::BitVector edges(function.flow.edges.size(), reached.isWhole);
    DangerousEdge edge;
    edge.function = {id};
    edge.place = EdgePlace::Flow;
    for (; edge.edge < edges.size(); ++edge.edge)
      if (llvm::is_contained(reached.edges, edgeText(view, edge))) {
        edges.set(edge.edge);
        ++edgesFound;
      }
    builder.addCrossed({id}, edges, {test});
  }
  if (!isFound)
    return error("{}: the baseline has no function of this name with probes", reached.name);
  if (edgesFound < reached.edges.size())
    return error("{}: not every edge that coverage names is there", reached.name);
  return llvm::Error::success();
}

void addMakers(const std::string &type, TestId test, CoverageMatrix &matrix) {
  auto known = llvm::find_if(matrix.constructed,
                             [&](const ClassCoverage &each) { return each.name == type; });
  if (known == matrix.constructed.end())
    known = matrix.constructed.insert(known, {type, {0}});
  std::vector<TestId> tests = matrix.classes[known->constructed.value];
  if (!llvm::is_contained(tests, test))
    tests.push_back(test);
  llvm::sort(tests);
  known->constructed = {static_cast<std::uint32_t>(matrix.classes.size())};
  matrix.classes.push_back(std::move(tests));
}

} // namespace

llvm::Expected<CoverageMatrix> coverageOf(llvm::ArrayRef<std::string> lines,
                                          const DeltaView &view) {
  std::vector<CoverageLine> parsed;
  for (const std::string &text : lines) {
    llvm::Expected<CoverageLine> line = lineOf(text, view.baseline, view.names);
    if (!line)
      return line.takeError();
    parsed.push_back(std::move(*line));
  }
  llvm::sort(parsed, [](const CoverageLine &a, const CoverageLine &b) {
    return std::tie(a.test.binary, a.test.name) < std::tie(b.test.binary, b.test.name);
  });
  std::vector<RecordedTest> tests;
  for (const CoverageLine &line : parsed)
    tests.push_back(line.test);
  MatrixBuilder builder(view.baseline, view.names, std::move(tests));
  for (std::uint32_t id = 0; id < view.baseline.functions.size(); ++id)
    if (isProbed(view.baseline.functions[id]))
      builder.addProbed({id});
  for (std::uint32_t test = 0; test < parsed.size(); ++test)
    for (const ReachedFunction &reached : parsed[test].functions)
      if (llvm::Error wrong = addReached(reached, test, view, builder))
        return wrong;
  CoverageMatrix matrix = builder.finish();
  for (std::uint32_t test = 0; test < parsed.size(); ++test)
    for (const std::string &type : parsed[test].makes)
      addMakers(type, {test}, matrix);
  return matrix;
}

std::string caseNameOf(const RecordedTest &test) {
  return test.binary.empty() ? test.name : test.binary + "::" + test.name;
}

} // namespace retest
