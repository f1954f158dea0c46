#include "report/selection_text.h"

#include "report/text_cells.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>

#include <map>

namespace retest {

namespace {

constexpr const char *kDim = "2";
constexpr const char *kYellow = "33";
/// More uncovered code or doubts than this is a list for a file.
constexpr std::size_t kShownLines = 10;

std::string reasonOf(const SelectionReport &report, const ReportedTest &test) {
  if (test.reasons.empty())
    return wordFor(test.verdict).str();
  std::string text = report.reasons[test.reasons.front()].text;
  if (test.reasons.size() > 1)
    text += fmt::format(" (and {} more)", test.reasons.size() - 1);
  return text;
}

template <class List, class Line>
void writeSome(llvm::raw_ostream &out, const char *title, const List &list, Line line) {
  if (list.empty())
    return;
  out << "\n" << title << "\n";
  for (const auto &each : llvm::ArrayRef(list).take_front(kShownLines))
    out << "  " << line(each) << "\n";
  if (list.size() > kShownLines)
    out << fmt::format("  and {} more\n", list.size() - kShownLines);
}

std::string at(const std::string &path, std::uint32_t line) {
  if (path.empty())
    return "";
  return line == 0 ? path : fmt::format("{}:{}", path, line);
}

} // namespace

void writeSelectionList(llvm::raw_ostream &out, const SelectionReport &report) {
  for (const ReportedTest &test : report.tests)
    if (isSelected(test))
      out << oneLine(idOf(test.test)) << "\n";
}

void writeSelectionZeros(llvm::raw_ostream &out, const SelectionReport &report) {
  for (const ReportedTest &test : report.tests)
    if (isSelected(test))
      out << idOf(test.test) << '\0';
}

void writeSelectionText(llvm::raw_ostream &out, const SelectionReport &report,
                        const SelectionTextStyle &style) {
  std::size_t widest = 0;
  for (const ReportedTest &test : report.tests)
    if (isSelected(test))
      widest = std::max(widest, oneLine(idOf(test.test)).size());
  widest = std::min<std::size_t>(widest, style.width / 2);
  for (const ReportedTest &test : report.tests) {
    if (!isSelected(test))
      continue;
    std::string id = oneLine(idOf(test.test));
    std::size_t left = style.width > widest + 2 ? style.width - widest - 2 : 20;
    // A long name is never cut: it may be copied from here.
    out << (id.size() < widest ? id + std::string(widest - id.size(), ' ') : id) << "  "
        << coloured(style.colour, kDim, cutToColumns(reasonOf(report, test), left)) << "\n";
  }
  writeSome(out, coloured(style.colour, kYellow, "in doubt:").c_str(), report.doubts,
            [](const ReportedDoubt &doubt) {
              std::string where = at(doubt.path, doubt.line);
              return oneLine(where.empty() ? doubt.text : doubt.text + "  " + where);
            });
  writeSome(out,
            coloured(style.colour, kYellow, "changed, and reached by no recorded test:").c_str(),
            report.uncovered, [](const UncoveredChange &change) {
              return oneLine(fmt::format("{}  {}", change.function, at(change.path, change.line)));
            });
  std::vector<QuarantinedTest> quarantined;
  for (const ReportedTest &test : report.tests)
    if (isSelected(test))
      for (const QuarantinedTest &each : report.quarantined)
        if (each.id == idOf(test.test))
          quarantined.push_back(each);
  writeSome(out, coloured(style.colour, kYellow, "in quarantine:").c_str(), quarantined,
            [](const QuarantinedTest &test) {
              std::string until = fmt::format("{}  until {}", test.id, test.until);
              return oneLine(test.reason.empty() ? until : until + ": " + test.reason);
            });
}

std::string selectionSummary(const SelectionReport &report) {
  if (!report.knowsTests)
    return "all tests, because " + report.reason;
  std::map<Verdict, std::size_t> counts;
  for (const ReportedTest &test : report.tests)
    ++counts[test.verdict];
  std::size_t total = report.tests.size() - counts[Verdict::Disabled];
  std::string text;
  if (!report.reason.empty()) {
    text = fmt::format("all {} tests, because {}", total, report.reason);
  } else {
    std::string kinds;
    for (const auto &[verdict, count] : counts)
      if (count != 0 && verdict != Verdict::Skipped && verdict != Verdict::Disabled)
        kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, wordFor(verdict).str());
    text = fmt::format("{} of {} tests selected", countSelected(report), total);
    if (!kinds.empty())
      text += " (" + kinds + ")";
    text += fmt::format("; {} skipped", counts[Verdict::Skipped]);
  }
  if (counts[Verdict::Disabled] != 0)
    text += fmt::format("; {} disabled", counts[Verdict::Disabled]);
  return text;
}

} // namespace retest
