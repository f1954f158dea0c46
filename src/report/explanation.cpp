#include "report/explanation.h"

#include "report/text_cells.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <set>

namespace retest {

namespace {

constexpr std::size_t kShownReasons = 3;
constexpr std::size_t kShownTests = 20;

class Explanation {
public:
  Explanation(llvm::raw_ostream &out, const SelectionReport &report, const ExplanationStyle &style)
      : out_(out), report_(report), style_(style) {}

  void test(const ReportedTest &test, const std::optional<NearestFunction> &nearest) {
    std::string id = oneLine(idOf(test.test));
    if (test.verdict == Verdict::Skipped)
      return skipped(id, test, nearest);
    if (test.verdict == Verdict::Disabled) {
      line("{} is disabled: its project does not run it", paint(kBold, id));
      return;
    }
    line("{} is selected: {}", paint(kBold, id), wordFor(test.verdict).str());
    // Those that can be shown in the source first: they say most.
    std::vector<std::uint32_t> order = test.reasons;
    llvm::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(rank(a), a) < std::pair(rank(b), b);
    });
    std::size_t shown = style_.showsAll ? order.size() : std::min(order.size(), kShownReasons);
    for (std::uint32_t index : llvm::ArrayRef(order).take_front(shown))
      reason(report_.reasons[index]);
    if (shown < order.size())
      line("  and {} more reasons; -v shows them", order.size() - shown);
  }

  void change(llvm::StringRef path, std::uint32_t lineNumber) {
    std::string where = lineNumber == 0 ? path.str() : fmt::format("{}:{}", path.str(), lineNumber);
    bool isAny = false;
    for (std::uint32_t i = 0; i < report_.reasons.size(); ++i) {
      const ReportedReason &reason = report_.reasons[i];
      if (!isAbout(reason, path, lineNumber))
        continue;
      isAny = true;
      this->reason(reason);
      testsOf(i);
    }
    if (isAny)
      return;
    line("nothing that changed at {} speaks for a test", where);
    std::set<std::uint32_t> lines;
    for (const ReportedReason &reason : report_.reasons)
      if (reason.path == path && reason.line != 0)
        lines.insert(reason.line);
    for (const ReportedReason &reason : report_.reasons)
      for (const EditedPlace &edit : reason.edits)
        if (edit.path == path && edit.current.begin != 0)
          lines.insert(edit.current.begin);
    if (!lines.empty())
      line("changes in this file that do are on line {}",
           fmt::format("{}", fmt::join(lines, ", ")));
  }

private:
  static bool isAbout(const ReportedReason &reason, llvm::StringRef path, std::uint32_t line) {
    return (reason.path == path && (line == 0 || reason.line == line)) ||
           llvm::any_of(reason.edits,
                        [&](const EditedPlace &edit) { return edit.contains(path, line); });
  }

  static constexpr const char *kBold = "1", *kDim = "2", *kRed = "31", *kGreen = "32";

  void skipped(const std::string &id, const ReportedTest &test,
               const std::optional<NearestFunction> &nearest) {
    line("{} is skipped: it crosses no dangerous edge, and uses no file that changed",
         paint(kBold, id));
    if (test.near.empty()) {
      line(report_.reasons.empty() ? "  nothing that matters has changed"
                                   : "  it enters no function that has dangerous edges");
      if (nearest)
        line("  nearest it enters {} at {}:{}, {} line{} from the change in {}",
             oneLine(nearest->function), oneLine(nearest->path), nearest->line, nearest->distance,
             nearest->distance == 1 ? "" : "s", oneLine(nearest->changed));
      return;
    }
    line("  it came near, but went another way:");
    for (std::uint32_t index : test.near) {
      const ReportedReason &near = report_.reasons[index];
      line("    {}: {}  {}", oneLine(near.function), oneLine(near.edge),
           paint(kDim, "(" + oneLine(near.text) + ")"));
    }
  }

  unsigned rank(std::uint32_t index) const {
    const ReportedReason &reason = report_.reasons[index];
    if (reason.excerpt)
      return 0;
    return reason.edge.empty() ? 2 : 1;
  }

  void reason(const ReportedReason &reason) {
    line("  {}   {}", paint(kDim, "change"), oneLine(reason.text));
    if (reason.edge.empty())
      return;
    line("  {}     {}{}", paint(kDim, "edge"),
         reason.function.empty() ? "" : oneLine(reason.function) + ": ", oneLine(reason.edge));
    line("  {}    crossed when {} was recorded", paint(kDim, "probe"),
         oneLine(report_.baseline.name));
    if (reason.excerpt)
      excerpt(report_.excerpts[*reason.excerpt]);
  }

  void excerpt(const std::string &text) {
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).rtrim('\n').split(lines, '\n');
    for (llvm::StringRef each : lines) {
      llvm::StringRef sign = each.ltrim(" *");
      const char *colour = sign.starts_with("+") ? kGreen : sign.starts_with("-") ? kRed : nullptr;
      line("{}", colour ? paint(colour, each.str()) : each.str());
    }
  }

  void testsOf(std::uint32_t reason) {
    std::size_t count = 0;
    for (const ReportedTest &test : report_.tests) {
      if (!llvm::is_contained(test.reasons, reason))
        continue;
      if (++count <= kShownTests || style_.showsAll)
        line("  {}   {}", paint(kDim, "test"), oneLine(idOf(test.test)));
    }
    if (count == 0)
      line("  no recorded test crosses it");
    else if (count > kShownTests && !style_.showsAll)
      line("  and {} more tests; -v lists them", count - kShownTests);
  }

  std::string paint(const char *code, const std::string &text) const {
    return coloured(style_.colour, code, text);
  }

  template <class... Args> void line(fmt::format_string<Args...> format, Args &&...args) {
    out_ << fmt::format(format, std::forward<Args>(args)...) << "\n";
  }
  void line(const char *text) { out_ << text << "\n"; }

  llvm::raw_ostream &out_;
  const SelectionReport &report_;
  const ExplanationStyle &style_;
};

} // namespace

void explainTest(llvm::raw_ostream &out, const SelectionReport &report, const ReportedTest &test,
                 const std::optional<NearestFunction> &nearest, const ExplanationStyle &style) {
  Explanation(out, report, style).test(test, nearest);
}

void explainChange(llvm::raw_ostream &out, const SelectionReport &report, llvm::StringRef path,
                   std::uint32_t line, const ExplanationStyle &style) {
  Explanation(out, report, style).change(path, line);
}

} // namespace retest
