#include "report/delta_source.h"

#include "report/aligned_lines.h"
#include "report/text_cells.h"

#include <fmt/format.h>

namespace retest {
namespace {

constexpr unsigned kSideBySide = 100; ///< columns that two versions need
constexpr std::size_t kMostRows = 24; ///< of one function, where not all is shown
const std::string kIndent = "    ";

/// The lines of a function.
struct Text {
  std::uint32_t firstLine = 0;
  std::vector<std::string> lines; ///< none if the source is not at hand

  Text(const Function &function, const SourceLines &source, const Names &names)
      : firstLine(function.where.begin.line) {
    constexpr std::uint32_t kMostLines = 10'000;
    const auto &[begin, end] = function.where;
    if (!begin.isKnown() || function.isImplicit)
      return;
    std::uint32_t last = end.file == begin.file && end.line >= begin.line ? end.line : begin.line;
    llvm::StringRef file = names.text(begin.file);
    if (source(file, begin.line).empty()) // a function does not begin with an empty line
      return;
    for (std::uint32_t line = begin.line; line <= std::min(last, begin.line + kMostLines); ++line)
      lines.push_back(source(file, line));
  }

  std::uint32_t numberOf(std::uint32_t index) const { return firstLine + index; }
};

/// The line of the function's file that the edge enters; 0 if it has none, such as an exit.
std::uint32_t lineEntered(const Function &function, const DangerousEdge &edge) {
  if (edge.place == EdgePlace::Entry)
    return function.where.begin.line;
  const FlowGraph &flow = function.flow;
  NodeId node = edge.place == EdgePlace::Flow ? flow.edges[edge.edge].to : edge.node;
  for (const Element &element : flow.nodes[node.value].elements)
    if (element.where.begin.isKnown() && element.where.begin.file == function.where.begin.file)
      return element.where.begin.line;
  return 0;
}

class Excerpt {
public:
  Excerpt(llvm::raw_ostream &out, const DeltaView &view, const FunctionSource &function,
          const DeltaTextStyle &style)
      : out_(out), style_(style), function_(function),
        baseline_(view.baseline[function.baseline], view.baselineLines, view.names),
        current_(view.current[function.current], view.currentLines, view.names) {}

  void write() {
    if (baseline_.lines.empty() && current_.lines.empty())
      return;
    bool hasBoth = !baseline_.lines.empty() && !current_.lines.empty();
    std::vector<LinePair> rows = alignedLines(baseline_.lines, current_.lines);
    if (!hasBoth) {
      line(paint("2", fmt::format("(the source of the {} is not at hand)",
                                  baseline_.lines.empty() ? "baseline" : "current version")));
      for (LinePair &row : rows) // nothing to compare with: only what the edges are about
        row.isSame = true;
    }
    isSideBySide_ = hasBoth && style_.width >= kSideBySide;
    if (isSideBySide_)
      line(paint("2", fmt::format("{:<{}}   {}", "        baseline", half(), "        current")));
    writeRows(rows, chosen(rows));
  }

private:
  void writeRows(llvm::ArrayRef<LinePair> rows, const std::vector<bool> &isShown) {
    const std::size_t total = llvm::count(isShown, true);
    const std::size_t room = style_.showsAll ? total : kMostRows;
    std::size_t written = 0;
    for (std::size_t i = 0; i < rows.size() && written < room; ++i) {
      if (!isShown[i])
        continue;
      if (written > 0 && !isShown[i - 1]) {
        flush();
        line(paint("2", "    ..."));
      }
      isSideBySide_ ? sideBySide(rows[i]) : belowEachOther(rows[i]);
      ++written;
    }
    flush();
    if (written < total)
      line(paint("2", fmt::format("    ... and {} more lines (-v shows all)", total - written)));
  }

  std::size_t half() const { return (style_.width - kIndent.size() - 3) / 2; }
  std::string paint(const char *code, const std::string &text) const {
    return coloured(style_.colour, code, text);
  }
  void line(const std::string &text) { out_ << kIndent << text << '\n'; }

  bool isMarked(const LinePair &row) const {
    return (row.baseline != LinePair::kNone &&
            function_.baselineMarks.contains(baseline_.numberOf(row.baseline))) ||
           (row.current != LinePair::kNone && baseline_.lines.empty() &&
            function_.currentMarks.contains(current_.numberOf(row.current)));
  }

  /// What differs or is marked, and one row before and behind.
  std::vector<bool> chosen(llvm::ArrayRef<LinePair> rows) const {
    std::vector<bool> isShown(rows.size(), false);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!rows[i].isSame || isMarked(rows[i]))
        for (std::size_t near = i == 0 ? 0 : i - 1; near < std::min(i + 2, rows.size()); ++near)
          isShown[near] = true;
    return isShown;
  }

  /// Mark, number and text of one side.
  std::string cell(const Text &text, std::uint32_t index, bool isBaseline,
                   std::size_t columns) const {
    if (index == LinePair::kNone)
      return std::string(columns, ' ');
    std::uint32_t number = text.numberOf(index);
    bool isMarked = isBaseline && function_.baselineMarks.contains(number);
    return filledToColumns(
        fmt::format("{} {:>5} {}", isMarked ? '*' : ' ', number, text.lines[index]), columns);
  }

  void sideBySide(const LinePair &row) {
    std::string left = cell(baseline_, row.baseline, true, half());
    std::string right = cell(current_, row.current, false, half());
    if (!row.isSame) {
      left = row.baseline == LinePair::kNone ? left : paint("31", left);
      right = row.current == LinePair::kNone ? right : paint("32", right);
    }
    std::string text = left + (row.isSame ? "   " : " | ") + right;
    line(llvm::StringRef(text).rtrim().str());
  }

  /// Lines of the baseline first, then those that stand in their place.
  void belowEachOther(const LinePair &row) {
    if (row.isSame) {
      flush();
      bool isBaseline = row.baseline != LinePair::kNone; // it knows the marks
      line(signedLine(" ", isBaseline, isBaseline ? row.baseline : row.current));
      return;
    }
    if (row.baseline != LinePair::kNone)
      line(paint("31", signedLine("-", true, row.baseline)));
    if (row.current != LinePair::kNone)
      added_.push_back(paint("32", signedLine("+", false, row.current)));
  }

  std::string signedLine(const char *sign, bool isBaseline, std::uint32_t index) const {
    std::size_t columns = style_.width > 20 ? style_.width - kIndent.size() - 1 : 16;
    std::string text = sign + cell(isBaseline ? baseline_ : current_, index, isBaseline, columns);
    return llvm::StringRef(text).rtrim().str();
  }

  void flush() {
    for (const std::string &text : added_)
      line(text);
    added_.clear();
  }

  llvm::raw_ostream &out_;
  const DeltaTextStyle &style_;
  const FunctionSource &function_;
  Text baseline_, current_;
  bool isSideBySide_ = false;
  std::vector<std::string> added_; ///< lines that wait until those of the baseline are written
};

} // namespace

void markLines(const DeltaView &view, const DangerousEdge &edge, FunctionSource &function) {
  if (std::uint32_t line = lineEntered(view.baseline[edge.function], edge))
    function.baselineMarks.insert(line);
  if (!edge.reason.isInBaseline && edge.reason.where.isKnown())
    function.currentMarks.insert(edge.reason.where.line);
}

void writeFunctionSource(llvm::raw_ostream &out, const DeltaView &view,
                         const FunctionSource &function, const DeltaTextStyle &style) {
  Excerpt(out, view, function, style).write();
}

} // namespace retest
