#include "report/graph_text.h"

#include "report/graph_words.h"

#include <fmt/format.h>

namespace retest {
namespace {

class Writer {
public:
  Writer(llvm::raw_ostream &out, GraphView &view, const TextStyle &style)
      : out_(out), view_(view), style_(style) {}

  void function(FunctionId id);
  void program();

private:
  std::string bold(const std::string &text) const { return coloured("1", text); }
  std::string dim(const std::string &text) const { return coloured("2", text); }
  std::string coloured(const char *code, const std::string &text) const {
    return style_.colour && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
  }
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    out_ << fmt::format(format, std::forward<Args>(args)...) << '\n';
  }
  std::string withPlace(FunctionId id) const;
  void head(FunctionId id);
  void node(const Function &function, NodeId id, llvm::ArrayRef<CallEdge> calls);
  void sourceLines(const Function &function, const Node &node);
  void uses(const Node &node);
  void call(const Node &node, llvm::ArrayRef<CallEdge> edges);
  void edge(const Function &function, const FlowEdge &edge);
  void callers(FunctionId id);
  void waysInFromOutside(FunctionId id);

  llvm::raw_ostream &out_;
  GraphView &view_;
  const TextStyle &style_;
};

std::string plural(std::size_t count, const char *one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string Writer::withPlace(FunctionId id) const {
  std::string place = view_.place(view_.project[id].where.begin);
  return view_.nameOf(id) + (place.empty() ? "" : "  " + dim(place));
}

void Writer::head(FunctionId id) {
  const Function &function = view_.project[id];
  std::string place = view_.place(function.where.begin);
  line("{}{}", bold(view_.nameOf(id)), place.empty() ? "" : "  " + place);
  std::string kind = wordFor(function.linkage).str() + " " + wordFor(function.kind).str();
  for (llvm::StringRef flag : flagsOf(function))
    kind += ", " + flag.str();
  line("{}, {}, {}", kind, plural(function.flow.nodes.size(), "node"),
       plural(function.flow.edges.size(), "edge"));
  auto variants = function.linkage == Linkage::Internal
                      ? llvm::SmallVector<FunctionId, 2>{id}
                      : view_.program.functions.entitiesOf(function.name);
  if (variants.size() > 1)
    line("one of {} variants in {}{}", variants.size(), view_.text(view_.program.name),
         variants.front() == id ? ", the one that the linker keeps" : "");
  if (!function.unmodelled.empty())
    line("not modelled: {}", utf8(function.unmodelled));
  out_ << '\n';
}

void Writer::sourceLines(const Function &function, const Node &node) {
  bool isFirst = true;
  for (const NodeLine &source : linesOf(node, view_.lines, view_.names)) {
    std::string number = source.where.file == function.where.begin.file
                             ? fmt::format("{:>5}", source.where.line)
                             : view_.place(source.where);
    std::string text = source.text;
    std::size_t room = style_.width > 30 ? style_.width - 24 : 6;
    if (text.size() > room)
      text = utf8(llvm::StringRef(text).take_front(room - 3)) + "...";
    if (!isFirst)
      out_ << fmt::format("{:22}", "");
    isFirst = false;
    line(" {} {}", dim(number + " |"), text);
  }
  if (isFirst)
    out_ << '\n';
}

void Writer::uses(const Node &node) {
  std::vector<std::string> words;
  for (const Use &use : node.uses)
    words.push_back(wordFor(use.kind).str() + " " + view_.text(use.entity));
  llvm::sort(words); // stored in the order of ids
  if (!words.empty())
    line("          {}", dim("uses " + fmt::format("{}", fmt::join(words, ", "))));
}

void Writer::call(const Node &node, llvm::ArrayRef<CallEdge> edges) {
  if (node.call.kind == CallKind::Indirect)
    return line("          calls through a pointer");
  if (node.call.kind == CallKind::Virtual)
    line("          calls {} on {}", view_.text(node.call.callee), view_.text(node.call.receiver));
  for (const CallEdge &edge : edges) {
    std::string target = edge.target.isValid() ? withPlace(edge.target)
                                               : view_.text(edge.callee) + "  " + dim("external");
    if (edge.kind == EdgeKind::Call)
      line("          calls {}", target);
    else
      line("            {} -> {}{}",
           coloured("36", edge.receiver.isValid() ? view_.nameOf(edge.receiver)
                                                  : view_.text(node.call.receiver)),
           target, edge.isOnlyDuringConstruction ? "  (only during construction)" : "");
  }
}

void Writer::edge(const Function &function, const FlowEdge &edge) {
  const Node &to = function.flow.nodes[edge.to.value];
  std::string label = view_.text(edge.label);
  const char *arrow = edge.kind == EdgeKind::Path        ? "=>"
                      : edge.kind == EdgeKind::Exception ? "~>"
                                                         : "->";
  const char *colour = edge.kind == EdgeKind::Exception ? "33"
                       : label == "T"                   ? "32"
                       : label == "F"                   ? "31"
                                                        : "36";
  bool isPlain = to.kind == NodeKind::Block || to.kind == NodeKind::Call;
  line("          {}{} {}{}", coloured(colour, label),
       label.empty() ? arrow : std::string(" ") + arrow, edge.to.value,
       isPlain ? "" : " " + wordFor(to.kind).str());
}

void Writer::node(const Function &function, NodeId id, llvm::ArrayRef<CallEdge> calls) {
  const Node &node = function.flow.nodes[id.value];
  std::string kind = wordFor(node.kind).str();
  bool hasSource = llvm::any_of(
      node.elements, [](const Element &element) { return element.where.begin.isKnown(); });
  out_ << fmt::format("{:>5} {}", id.value, bold(fmt::format("{:<{}}", kind, hasSource ? 16 : 0)));
  sourceLines(function, node);
  uses(node);
  if (node.kind == NodeKind::Call || node.kind == NodeKind::Cleanup)
    call(node, calls);
  auto next = llvm::partition_point(function.flow.edges,
                                    [&](const FlowEdge &edge) { return edge.from < id; });
  for (; next != function.flow.edges.end() && next->from == id; ++next)
    edge(function, *next);
}

void Writer::callers(FunctionId id) {
  llvm::ArrayRef<Caller> callers = view_.calls.callersOf(id);
  if (callers.empty())
    return;
  line("\ncalled by");
  for (std::size_t index = 0; index < callers.size();) {
    FunctionId caller = callers[index].function;
    std::string nodes;
    for (; index < callers.size() && callers[index].function == caller; ++index)
      nodes += fmt::format(" {}", callers[index].node.value);
    line("  {}  node{}", withPlace(caller), nodes);
  }
}

void Writer::waysInFromOutside(FunctionId id) {
  for (const ClassEntry &entry : view_.external.entries)
    for (const ClassEntryEdge &edge : entry.edges)
      if (edge.target == id)
        line("\nexternal code may call it as {} of a {}", view_.text(edge.method),
             view_.nameOf(entry.ofClass));
  if (llvm::is_contained(view_.external.callbacks, id))
    line("\nits address is taken: external code and calls through pointers may reach it");
}

void Writer::function(FunctionId id) {
  head(id);
  const Function &function = view_.project[id];
  std::vector<CallEdge> calls = view_.calls.callEdges(id);
  // The normal exit is node 1, but is read last.
  std::vector<std::uint32_t> order;
  for (std::uint32_t node = 0; node < function.flow.nodes.size(); ++node)
    if (function.flow.nodes[node].kind != NodeKind::Exit)
      order.push_back(node);
  for (std::uint32_t node = 0; node < function.flow.nodes.size(); ++node)
    if (function.flow.nodes[node].kind == NodeKind::Exit)
      order.push_back(node);
  for (std::uint32_t node : order) {
    auto first =
        llvm::partition_point(calls, [&](const CallEdge &edge) { return edge.from.value < node; });
    auto last =
        llvm::partition_point(calls, [&](const CallEdge &edge) { return edge.from.value <= node; });
    this->node(function, NodeId{node},
               llvm::ArrayRef(calls).slice(first - calls.begin(), last - first));
  }
  callers(id);
  waysInFromOutside(id);
}

void Writer::program() {
  const ProgramGraph &program = view_.program;
  line("{}  {}", bold(view_.text(program.name)), wordFor(program.kind).str());
  line("\nunits");
  for (const ProgramUnit &entry : program.units) {
    std::string note = entry.presence == Presence::Possible ? "  (possibly)" : "";
    if (entry.image)
      note += "  from " + view_.text(program.images[entry.image]);
    line("  {}{}", view_.text(view_.project[entry.unit].name), dim(note));
  }
  line("\nroots");
  for (const Root &root : rootsOf(view_.project, program, view_.names))
    line("  {}", root.function.isValid() ? withPlace(root.function) : "external code");
  if (!view_.external.entries.empty())
    line("\nexternal code calls");
  for (const ClassEntry &entry : view_.external.entries) {
    line("  {}", view_.nameOf(entry.ofClass));
    for (const ClassEntryEdge &edge : entry.edges)
      line("    {} -> {}", view_.text(edge.method), view_.text(edge.overrider));
    line("    * -> external code");
  }
  if (!program.doubts.empty())
    line("\ndoubts");
  for (const Doubt &doubt : program.doubts) {
    std::string place = view_.place(doubt.where);
    line("  {}{}", place.empty() ? "" : place + ": ", utf8(doubt.text));
  }
}

} // namespace

void writeFunctionText(llvm::raw_ostream &out, GraphView &view, FunctionId function,
                       const TextStyle &style) {
  Writer(out, view, style).function(function);
}

void writeFunctionsText(llvm::raw_ostream &out, GraphView &view,
                        llvm::ArrayRef<FunctionId> functions, const TextStyle &style) {
  for (FunctionId function : functions) {
    if (function != functions.front())
      out << '\n';
    writeFunctionText(out, view, function, style);
  }
}

void writeProgramText(llvm::raw_ostream &out, GraphView &view, const TextStyle &style) {
  Writer(out, view, style).program();
}

} // namespace retest
