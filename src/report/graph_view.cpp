#include "report/graph_view.h"

#include "report/graph_words.h"
#include "report/short_names.h"

#include <fmt/format.h>

namespace retest {

GraphView::GraphView(const Project &project, const ProgramGraph &program, const Names &names,
                     SourceLines lines)
    : project(project), program(program), names(names), lines(std::move(lines)),
      calls(project, program, names),
      external(externalCode(project, program, calls.virtualCalls(), names)) {}

std::string GraphView::text(NameId name) const { return shortName(utf8(names.text(name))); }

std::string GraphView::nameOf(FunctionId function) const { return text(project[function].name); }

std::string GraphView::nameOf(ClassId type) const {
  std::string name = text(project[type].name);
  if (project[type].linkage != Linkage::Internal)
    return name;
  return fmt::format("{} [{}]", name, text(project[project.classUnits[type.value]].name));
}

std::string GraphView::place(SourcePosition position) const {
  return position.isKnown() ? fmt::format("{}:{}", text(position.file), position.line) : "";
}

std::vector<NodeLine> linesOf(const Node &node, const SourceLines &source, const Names &names) {
  std::vector<NodeLine> lines;
  for (const Element &element : node.elements) {
    SourcePosition where = element.where.begin;
    where.column = 0;
    if (!where.isKnown() ||
        llvm::any_of(lines, [&](const NodeLine &line) { return line.where == where; }))
      continue;
    std::string text = source ? source(names.text(where.file), where.line) : "";
    lines.push_back({where, utf8(llvm::StringRef(text).trim())});
  }
  return lines;
}

/// The identity up to its parameters: "f(int)::lambda#1(int) const" -> "f(int)::lambda#1".
static llvm::StringRef withoutParameters(llvm::StringRef identity) {
  std::size_t end = identity.rfind(')');
  if (end == llvm::StringRef::npos)
    return identity;
  int depth = 0;
  for (std::size_t index = end + 1; index-- > 0;) {
    depth += identity[index] == ')' ? 1 : identity[index] == '(' ? -1 : 0;
    if (depth == 0)
      return identity.take_front(index);
  }
  return identity;
}

/// "ns::Box<int>::put<char>" -> "ns::Box::put". The signs of operators stay.
static std::string withoutArguments(llvm::StringRef name) {
  std::string result;
  int depth = 0;
  for (char c : name) {
    llvm::StringRef before = result;
    bool isSign = depth == 0 && (before.ends_with("operator") || before.ends_with("operator<"));
    bool opens = c == '<' && !isSign;
    if (opens)
      ++depth;
    else if (depth > 0 && c == '>')
      --depth;
    else if (depth == 0)
      result += c;
  }
  return result;
}

static bool endsWithPart(llvm::StringRef name, llvm::StringRef part, llvm::StringRef separator) {
  return name == part || (name.ends_with(part) && name.drop_back(part.size()).ends_with(separator));
}

bool answersTo(llvm::StringRef identity, llvm::StringRef query) {
  return endsWithPart(identity, query, "::") ||
         endsWithPart(withoutParameters(identity), query, "::") ||
         endsWithPart(withoutArguments(withoutParameters(identity)), query, "::");
}

std::vector<FunctionId> functionsNamed(const Project &project, llvm::StringRef query,
                                       const Names &names) {
  std::vector<FunctionId> exact, similar;
  for (std::uint32_t id = 0; id < project.functions.size(); ++id) {
    llvm::StringRef name = names.text(project.functions[id].name);
    if (name == query)
      exact.push_back({id});
    else if (answersTo(name, query))
      similar.push_back({id});
  }
  return exact.empty() ? similar : exact;
}

std::vector<FunctionId> functionsInFile(const Project &project, llvm::StringRef file,
                                        const Names &names) {
  std::vector<FunctionId> found;
  for (std::uint32_t id = 0; id < project.functions.size(); ++id)
    if (endsWithPart(names.text(project.functions[id].where.begin.file), file, "/"))
      found.push_back({id});
  llvm::sort(found, [&](FunctionId a, FunctionId b) {
    auto key = [&](FunctionId id) {
      const SourcePosition &begin = project[id].where.begin;
      return std::tuple(names.text(begin.file), begin.line, begin.column, id);
    };
    return key(a) < key(b);
  });
  return found;
}

} // namespace retest
