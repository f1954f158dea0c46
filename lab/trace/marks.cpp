#include "lab/trace/marks.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace retest {
namespace {

/// At one offset what ends goes before what begins, inner ends before outer ones, outer beginnings
/// before inner ones.
struct Insertion {
  unsigned at;
  bool isBeginning;
  unsigned order;
  std::string text;
};

std::string opening(const Mark &mark, unsigned number) {
  std::string id = std::to_string(number);
  switch (mark.form) {
  case Mark::Form::AfterBrace:
    return " retest_trace_here(" + id + ");";
  case Mark::Form::BeforeStatement: // an `else` behind the statement belongs to what it belonged to
    return "if (!retest_trace_here(" + id + ")) ; else ";
  case Mark::Form::Wrap:
    break;
  }
  return mark.kind == Mark::Kind::Choice ? "retest_trace_choice(" + id + ", ("
                                         : "retest_trace_side(" + id + ", static_cast<bool>(";
}

} // namespace

MarksOfFile cleaned(MarksOfFile marks) {
  // Outer before inner, so that a stack of ends tells what overlaps.
  std::sort(marks.begin(), marks.end(), [](const Mark &a, const Mark &b) {
    return std::tie(a.begin, b.end, a) < std::tie(b.begin, a.end, b);
  });
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  MarksOfFile kept;
  std::vector<unsigned> ends;
  for (const Mark &mark : marks) {
    while (!ends.empty() && ends.back() <= mark.begin)
      ends.pop_back();
    bool isAgain = !kept.empty() && mark.form == Mark::Form::Wrap &&
                   kept.back().form == Mark::Form::Wrap && kept.back().begin == mark.begin &&
                   kept.back().end == mark.end;
    if (isAgain || (!ends.empty() && ends.back() < mark.end))
      continue;
    if (mark.form == Mark::Form::Wrap)
      ends.push_back(mark.end);
    kept.push_back(mark);
  }
  return kept;
}

std::string withMarks(const std::string &text, const MarksOfFile &marks, unsigned first) {
  constexpr unsigned kLast = std::numeric_limits<unsigned>::max();
  std::vector<Insertion> insertions;
  for (const Mark &mark : marks) {
    bool isWrapped = mark.form == Mark::Form::Wrap;
    insertions.push_back(
        {mark.begin, true, isWrapped ? kLast - mark.end : 0, opening(mark, first++)});
    if (isWrapped)
      insertions.push_back({mark.end, false, kLast - mark.begin, "))"});
  }
  std::sort(insertions.begin(), insertions.end(), [](const Insertion &a, const Insertion &b) {
    return std::tie(a.at, a.isBeginning, a.order, a.text) <
           std::tie(b.at, b.isBeginning, b.order, b.text);
  });
  std::string result;
  unsigned at = 0;
  for (const Insertion &insertion : insertions) {
    result += text.substr(at, insertion.at - at) + insertion.text;
    at = insertion.at;
  }
  return result + text.substr(at);
}

} // namespace retest
