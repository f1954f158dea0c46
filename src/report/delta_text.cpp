#include "report/delta_text.h"

#include "report/delta_counts.h"
#include "report/graph_words.h"
#include "report/text_cells.h"

#include <fmt/format.h>

#include <map>

namespace retest {
namespace {

// Where not all is shown. A screen or two of details, then names, then numbers.
constexpr std::size_t kMostDetailed = 20; ///< functions with edges and source
constexpr std::size_t kMostFunctions = 60;
constexpr std::size_t kMostFiles = 40; ///< of the functions that are not shown
constexpr std::size_t kMostEdges = 6;  ///< of one function
constexpr std::size_t kMostEntries = 20;
constexpr std::size_t kNodeColumns = 48; ///< of the source that stands for a node

/// A baseline function and its dangerous edges.
struct DangerousFunction {
  FunctionId id;
  llvm::ArrayRef<DangerousEdge> edges;
};

class Writer {
public:
  Writer(llvm::raw_ostream &out, const DeltaView &view, const Delta &delta,
         const DeltaTextStyle &style)
      : out_(out), view_(view), delta_(delta), style_(style) {
    for (const FunctionChange &change : delta.functions)
      if (change.kind == FunctionChangeKind::Changed)
        changed_.try_emplace(change.baseline, &change);
  }

  void dangerousFunctions(bool hasDetails);
  void wholePrograms();
  void changes();
  void doubts();

private:
  std::string paint(const char *code, const std::string &text) const {
    return coloured(style_.colour, code, text);
  }
  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    out_ << fmt::format(format, std::forward<Args>(args)...) << '\n';
  }
  std::size_t most(std::size_t count) const { return style_.showsAll ? SIZE_MAX : count; }
  void rest(std::size_t total, std::size_t shown, const std::string &indent) {
    if (shown < total)
      line("{}{}", indent,
           paint("2",
                 fmt::format("... and {} more (-v or --format json shows all)", total - shown)));
  }

  std::vector<DangerousFunction> sortedFunctions() const;
  std::string fileOf(FunctionId id) const;
  void head(FunctionId id);
  void filesOf(llvm::ArrayRef<DangerousFunction> functions);
  void details(const DangerousFunction &function);
  void inOneLine(const DangerousFunction &function);
  void edge(const DangerousEdge &edge);
  void source(const DangerousFunction &function);
  std::string programs(llvm::ArrayRef<std::uint32_t> indices) const;
  void list(const char *title, const std::vector<std::string> &entries);
  std::string changeText(const FunctionChange &change) const;
  std::vector<std::string> texts(llvm::ArrayRef<NameId> names) const;

  llvm::raw_ostream &out_;
  const DeltaView &view_;
  const Delta &delta_;
  const DeltaTextStyle &style_;
  std::map<FunctionId, const FunctionChange *> changed_; ///< by baseline function
};

std::string Writer::fileOf(FunctionId id) const {
  const SourcePosition &begin = view_.baseline[id].where.begin;
  return begin.isKnown() ? utf8(view_.names.text(begin.file)) : "written by the compiler";
}

/// By place in the source.
std::vector<DangerousFunction> Writer::sortedFunctions() const {
  std::vector<DangerousFunction> functions;
  llvm::ArrayRef<DangerousEdge> edges = delta_.edges;
  while (!edges.empty()) {
    auto own = edges.take_while(
        [&](const DangerousEdge &edge) { return edge.function == edges.front().function; });
    functions.push_back({edges.front().function, own});
    edges = edges.drop_front(own.size());
  }
  llvm::sort(functions, [&](const DangerousFunction &a, const DangerousFunction &b) {
    auto key = [&](FunctionId id) {
      const Function &function = view_.baseline[id];
      return std::tuple(fileOf(id), function.where.begin.line, view_.names.text(function.name), id);
    };
    return key(a.id) < key(b.id);
  });
  return functions;
}

void Writer::dangerousFunctions(bool hasDetails) {
  std::vector<DangerousFunction> functions = sortedFunctions();
  std::size_t shown = 0, detailed = 0;
  std::string file;
  for (const DangerousFunction &function : functions) {
    if (shown == most(kMostFunctions))
      break;
    if (std::string next = fileOf(function.id); shown == 0 || next != file) {
      line("{}{}", shown == 0 ? "" : "\n", paint("1", next));
      file = next;
    }
    ++shown;
    if (hasDetails && detailed < most(kMostDetailed)) {
      ++detailed;
      details(function);
    } else {
      inOneLine(function);
    }
  }
  if (shown < functions.size()) {
    out_ << '\n';
    filesOf(llvm::ArrayRef(functions).drop_front(shown));
  }
  rest(functions.size(), shown, "");
  if (!functions.empty())
    out_ << '\n';
}

/// Where the functions are that are not shown themselves.
void Writer::filesOf(llvm::ArrayRef<DangerousFunction> functions) {
  std::map<std::string, std::size_t> files;
  for (const DangerousFunction &function : functions)
    ++files[fileOf(function.id)];
  std::size_t shown = 0;
  for (const auto &[file, count] : files)
    if (shown++ < kMostFiles)
      line("{}  {}", paint("1", file), counted(count, "more function"));
  if (files.size() > kMostFiles)
    line("{}", paint("2", fmt::format("... in {} more files", files.size() - kMostFiles)));
}

void Writer::head(FunctionId id) {
  const SourcePosition &begin = view_.baseline[id].where.begin;
  std::string place = begin.isKnown() ? fmt::format("  line {}", begin.line) : "";
  if (auto change = changed_.find(id); change != changed_.end()) {
    const SourcePosition &now = view_.current[change->second->current].where.begin;
    if (now.isKnown() && now.file != begin.file)
      place += ", now " + placeText(view_, now);
    else if (now.isKnown() && now.line != begin.line)
      place += fmt::format(", now {}", now.line);
  }
  out_ << "  " << paint("1", nameText(view_, view_.baseline[id].name)) << paint("2", place);
}

/// Which programs, where it is not all that have the function.
std::string Writer::programs(llvm::ArrayRef<std::uint32_t> indices) const {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::uint32_t index : indices.take_front(kMost))
    text += (text.empty() ? " in " : ", ") + nameText(view_, view_.baseline.programs[index].name);
  if (indices.size() > kMost)
    text += fmt::format(" and {} more", indices.size() - kMost);
  return text;
}

void Writer::edge(const DangerousEdge &edge) {
  EdgeWords words = edgeWords(view_, edge);
  std::string text = cutToColumns(words.from, kNodeColumns);
  for (const std::string &part : {words.arrow, cutToColumns(words.to, kNodeColumns)})
    if (!part.empty())
      text += (text.empty() ? "" : " ") + part;
  std::string reason = reasonText(view_, edge.reason) + programs(edge.programs);
  bool isShort = text.size() + reason.size() + 8 <= style_.width;
  line("    {}{}({})", paint("1;31", text), isShort ? "  " : "\n        ", reason);
}

void Writer::details(const DangerousFunction &function) {
  head(function.id);
  out_ << '\n';
  std::size_t shown = std::min(function.edges.size(), most(kMostEdges));
  for (const DangerousEdge &next : function.edges.take_front(shown))
    edge(next);
  rest(function.edges.size(), shown, "    ");
  source(function);
}

void Writer::inOneLine(const DangerousFunction &function) {
  head(function.id);
  const DangerousEdge &first = function.edges.front();
  std::string count =
      function.edges.size() == 1 ? "" : counted(function.edges.size(), "edge") + ", first: ";
  line("  ({}{}{})", count, reasonText(view_, first.reason), programs(first.programs));
}

void Writer::source(const DangerousFunction &function) {
  auto change = changed_.find(function.id);
  if (change == changed_.end())
    return; // the text is the same: the edges say it all
  FunctionSource source{function.id, change->second->current, {}, {}};
  for (const DangerousEdge &edge : function.edges)
    markLines(view_, edge, source);
  writeFunctionSource(out_, view_, source, style_);
}

void Writer::list(const char *title, const std::vector<std::string> &entries) {
  if (entries.empty())
    return;
  line("{}", paint("1", title));
  std::size_t shown = std::min(entries.size(), most(kMostEntries));
  for (const std::string &entry : llvm::ArrayRef(entries).take_front(shown))
    line("  {}", entry);
  rest(entries.size(), shown, "  ");
  out_ << '\n';
}

/// What concerns no single function.
void Writer::wholePrograms() {
  std::vector<std::string> entries, programs;
  for (const DangerousClassEntry &entry : delta_.classEntries)
    entries.push_back(paint("1;31", classEntryText(view_, entry)) + "  (" +
                      reasonText(view_, entry.reason) + this->programs(entry.programs) + ")");
  for (const DangerousProgram &program : delta_.programs)
    programs.push_back(
        paint("1;31", nameText(view_, view_.baseline.programs[program.program].name)) + "  (" +
        reasonText(view_, program.reason) + ")");
  list("Calls from external code", entries);
  list("Every run of a program", programs);
}

std::string Writer::changeText(const FunctionChange &change) const {
  auto place = [&](const Project &project, FunctionId id) {
    return placeText(view_, project[id].where.begin);
  };
  bool isGone = !change.current.isValid();
  std::string text = nameText(view_, isGone ? view_.baseline[change.baseline].name
                                            : view_.current[change.current].name);
  std::string before = isGone ? place(view_.baseline, change.baseline) : "";
  std::string now = isGone ? "" : place(view_.current, change.current);
  if (change.kind == FunctionChangeKind::Moved && change.baseline.isValid())
    before = place(view_.baseline, change.baseline) + " -> ";
  return text + paint("2", "  " + before + now);
}

std::vector<std::string> Writer::texts(llvm::ArrayRef<NameId> names) const {
  std::vector<std::string> result;
  for (NameId name : names)
    result.push_back(nameText(view_, name));
  llvm::sort(result);
  return result;
}

void Writer::changes() {
  std::set<FunctionId> dangerous;
  for (const DangerousEdge &edge : delta_.edges)
    dangerous.insert(edge.function);
  std::map<FunctionChangeKind, std::set<std::string>> found;
  for (const FunctionChange &change : delta_.functions)
    if (change.kind != FunctionChangeKind::Changed || !dangerous.contains(change.baseline))
      found[change.kind].insert(changeText(change));
  const std::pair<FunctionChangeKind, const char *> titles[] = {
      {FunctionChangeKind::Changed, "Functions changed without a dangerous edge"},
      {FunctionChangeKind::Added, "Functions added"},
      {FunctionChangeKind::Removed, "Functions removed"},
      {FunctionChangeKind::Moved, "Functions moved"}};
  for (auto [kind, title] : titles)
    list(title, {found[kind].begin(), found[kind].end()});
  list("Units added", texts(delta_.addedUnits));
  list("Units removed", texts(delta_.removedUnits));
  list("Programs added", texts(delta_.addedPrograms));
  list("Programs removed", texts(delta_.removedPrograms));
}

void Writer::doubts() {
  std::vector<std::string> entries;
  for (const Doubt &doubt : delta_.doubts) {
    std::string place = placeText(view_, doubt.where);
    entries.push_back((place.empty() ? "" : place + ": ") + utf8(doubt.text));
  }
  list("Doubts", entries);
}

} // namespace

void writeDeltaText(llvm::raw_ostream &out, const DeltaView &view, const Delta &delta,
                    Granularity granularity, llvm::StringRef same, const DeltaTextStyle &style) {
  if (isEmpty(delta)) {
    out << same << '\n';
    return;
  }
  Writer writer(out, view, delta, style);
  writer.dangerousFunctions(/*hasDetails=*/granularity == Granularity::Edges);
  writer.wholePrograms();
  writer.changes();
  writer.doubts();
  out << summaryOf(countsOf(delta, view.baseline)) << '\n';
}

} // namespace retest
