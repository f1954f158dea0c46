#include "report/selection_report.h"

#include "report/delta_source.h"
#include "report/graph_words.h"
#include "report/source_text.h"
#include "select/unreached_functions.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>

#include <map>
#include <set>

namespace retest {

namespace {

llvm::StringRef wordFor(TestReasonKind kind) {
  switch (kind) {
  case TestReasonKind::Edge:
  case TestReasonKind::ClassEntry:
  case TestReasonKind::Program:
    break; // the change has its own word
  case TestReasonKind::File:
    return "file";
  case TestReasonKind::Writer:
    return "writer";
  case TestReasonKind::Settings:
    return "settings";
  case TestReasonKind::Environment:
    return "environment";
  case TestReasonKind::Registration:
    return "registration";
  case TestReasonKind::Unmeasured:
    return "unmeasured";
  case TestReasonKind::Failed:
    return "failed";
  case TestReasonKind::Always:
    return "always";
  case TestReasonKind::Trigger:
    return "trigger";
  case TestReasonKind::Quarantine:
    return "quarantine";
  }
  return "changed";
}

/// Why it is not known what the file will be.
std::string whoMayMakeIt(const FileChange &change) {
  if (change.command.empty())
    return "the build may make it anew, and cannot be asked";
  return fmt::format("the next build runs '{}', and nobody knows whether that makes it anew",
                     change.command);
}

std::string fileText(const FileChange &change) {
  if (change.change == FileChangeKind::MadeAnew)
    return fmt::format("uses {}, which is made anew when the project is built", change.path);
  if (change.change == FileChangeKind::NotKnown)
    return fmt::format("{} {}: {}", change.kind == FileUseKind::Missing ? "looked for" : "uses",
                       change.path, whoMayMakeIt(change));
  switch (change.kind) {
  case FileUseKind::Read:
    return fmt::format("reads {}, which changed", change.path);
  case FileUseKind::Missing:
    return fmt::format("looked for {} in vain, which is there now", change.path);
  case FileUseKind::Listed:
    return fmt::format("lists {}, whose files are others now", change.path);
  case FileUseKind::Executed:
    return fmt::format("runs {}, which changed", change.path);
  case FileUseKind::Found:
    return fmt::format("looked for {}, which is gone", change.path);
  case FileUseKind::Written:
    break; // what is only written does not matter
  }
  return fmt::format("uses {}, which changed", change.path);
}

std::string environmentText(const EnvironmentChange &change) {
  return change.binary.empty()
             ? fmt::format("{} is another one now", change.what)
             : fmt::format("{} of {}: not as recorded", change.what, change.binary);
}

llvm::StringRef statusText(TestStatus status) {
  switch (status) {
  case TestStatus::TimedOut:
    return "it ran out of time when it was recorded";
  case TestStatus::Crashed:
    return "it crashed when it was recorded";
  case TestStatus::NotRun:
    return "it could not be run when it was recorded";
  default:
    return "it failed when it was recorded";
  }
}

class Describer {
public:
  Describer(const DeltaView &view, const SelectInput &input, SelectionReport &report)
      : view_(view), input_(input), report_(report) {
    for (const FunctionChange &change : input.delta.functions)
      if (change.kind == FunctionChangeKind::Changed)
        changed_[change.baseline] = change.current;
  }

  /// The index of what speaks for a test. What is told of each test by itself is not shared.
  std::uint32_t indexOf(TestReason why, TestId test) {
    bool isOwn = why.kind == TestReasonKind::Unmeasured || why.kind == TestReasonKind::Failed;
    auto [known, isNew] = known_.try_emplace(
        {why, isOwn ? input_.tests[test.value].unmeasured + "/" +
                          std::to_string(static_cast<int>(input_.tests[test.value].status))
                    : ""},
        static_cast<std::uint32_t>(report_.reasons.size()));
    if (isNew)
      report_.reasons.push_back(describe(why, input_.tests[test.value]));
    return known->second;
  }

  ReportedReason ofChange(const DangerousEdge &edge) const {
    ReportedReason result = ofChange(edge.reason);
    if (!isSameText(edge))
      return result;
    UnitId first = input_.baseline.functionUnits[edge.function.value];
    result.edits = view_.edited(view_.names.text(input_.baseline[first].name));
    for (const ProjectUnit &unit : input_.baseline.units) // another copy of a header's function
      if (result.edits.empty() && llvm::is_contained(unit.functions, edge.function))
        result.edits = view_.edited(view_.names.text(unit.name));
    if (!result.edits.empty())
      result.text += ", by the edit of " + placesText(result.edits);
    return result;
  }

  ReportedReason ofChange(const Reason &reason) const {
    ReportedReason result;
    result.rule = retest::wordFor(reason.kind).str();
    if (reason.where.isKnown()) {
      result.path = nameText(view_, reason.where.file);
      result.line = reason.where.line;
    }
    result.text = reasonText(view_, reason);
    return result;
  }

  /// Changed functions, in the current version, of which all dangerous edges are in the list of
  /// those that no test crosses.
  std::set<FunctionId> idleFunctions(llvm::ArrayRef<std::uint32_t> uncovered) const {
    std::map<FunctionId, std::size_t> crossed; // number of edges that tests may cross
    for (const DangerousEdge &edge : input_.delta.edges)
      ++crossed[edge.function];
    for (std::uint32_t index : uncovered)
      --crossed[input_.delta.edges[index].function];
    std::set<FunctionId> idle;
    for (const auto &[function, count] : crossed)
      if (auto change = changed_.find(function); count == 0 && change != changed_.end())
        idle.insert(change->second);
    return idle;
  }

private:
  /// Whether the code behind the edge reads as before: what it names was edited elsewhere.
  bool isSameText(const DangerousEdge &edge) const {
    const Reason &reason = edge.reason;
    auto change = changed_.find(edge.function);
    if (!view_.edited || reason.kind != ChangeKind::Statement || change == changed_.end() ||
        !reason.baselineNode.isValid() || !reason.currentNode.isValid())
      return false;
    auto textOf = [&](const Function &function, NodeId node, const SourceLines &lines) {
      std::string text;
      for (const Element &element : function.flow.nodes[node.value].elements)
        text += sourceText(lines, element.where, view_.names) + "\n";
      return text;
    };
    std::string before =
        textOf(input_.baseline[edge.function], reason.baselineNode, view_.baselineLines);
    return before.size() > 1 &&
           before == textOf(view_.current[change->second], reason.currentNode, view_.currentLines);
  }

  ReportedReason describe(TestReason why, const RecordedTest &test) {
    ReportedReason result;
    switch (why.kind) {
    case TestReasonKind::Edge: {
      const DangerousEdge &edge = input_.delta.edges[why.index];
      result = ofChange(edge);
      result.function = nameText(view_, input_.baseline[edge.function].name);
      result.edge = edgeText(view_, edge);
      result.excerpt = result.edits.empty() ? excerptOf(edge.function) : excerptOf(result.edits);
      return result;
    }
    case TestReasonKind::ClassEntry: {
      const DangerousClassEntry &entry = input_.delta.classEntries[why.index];
      result = ofChange(entry.reason);
      result.edge = classEntryText(view_, entry);
      return result;
    }
    case TestReasonKind::Program: {
      const DangerousProgram &program = input_.delta.programs[why.index];
      result = ofChange(program.reason);
      result.edge = fmt::format("every run of {}",
                                nameText(view_, input_.baseline.programs[program.program].name));
      return result;
    }
    case TestReasonKind::File:
      result.path = input_.files[why.index].path;
      result.text = fileText(input_.files[why.index]);
      break;
    case TestReasonKind::Writer:
      result.text =
          fmt::format("uses what {} makes, which is selected", utf8(idOf(input_.tests[why.index])));
      break;
    case TestReasonKind::Settings:
      result.text = "it is run in another way: command, environment or properties of CTest";
      break;
    case TestReasonKind::Environment:
      result.text = environmentText(input_.environment[why.index]);
      break;
    case TestReasonKind::Registration:
      result.text = fmt::format("{} has other tests now, or tells of this one in another way",
                                input_.registered.changes[why.index].binary);
      break;
    case TestReasonKind::Unmeasured:
      result.text = "not measured: " + test.unmeasured;
      break;
    case TestReasonKind::Failed:
      result.text = statusText(test.status).str();
      break;
    case TestReasonKind::Always:
      result.text = "the configuration wants it always";
      break;
    case TestReasonKind::Quarantine:
      result.text = "in quarantine: what it did when it was recorded proves nothing";
      break;
    case TestReasonKind::Trigger: {
      const TriggeredTests &trigger = input_.triggered[why.index];
      result.path = trigger.path;
      result.text = fmt::format("{} changed, a trigger of {}", trigger.path, trigger.where);
      if (!trigger.reason.empty())
        result.text += ": " + trigger.reason;
      break;
    }
    }
    result.rule = wordFor(why.kind).str();
    return result;
  }

  /// The source of a function that changed, with the lines of its dangerous edges marked.
  std::optional<std::uint32_t> excerptOf(FunctionId function) {
    auto change = changed_.find(function);
    if (change == changed_.end())
      return std::nullopt; // its text is the same
    auto [known, isNew] = excerpts_.try_emplace(function, report_.excerpts.size());
    if (!isNew)
      return known->second;
    FunctionSource source{function, change->second, {}, {}};
    const std::vector<DangerousEdge> &edges = input_.delta.edges; // sorted by function
    auto edge = llvm::partition_point(
        edges, [&](const DangerousEdge &each) { return each.function < function; });
    for (; edge != edges.end() && edge->function == function; ++edge)
      markLines(view_, *edge, source);
    std::string text;
    llvm::raw_string_ostream out(text);
    writeFunctionSource(out, view_, source, {});
    report_.excerpts.push_back(std::move(text));
    return known->second;
  }

  /// The edited lines, as `writeFunctionSource` shows those of a function.
  std::uint32_t excerptOf(const std::vector<EditedPlace> &edits) {
    constexpr std::size_t kMostPlaces = 3;
    constexpr std::uint32_t kMostLines = 8; // of each
    auto [known, isNew] = editExcerpts_.try_emplace(edits, report_.excerpts.size());
    if (!isNew)
      return known->second;
    std::string text;
    auto write = [&](char sign, const std::string &path, LineRange range,
                     const SourceLines &lines) {
      std::uint32_t end = std::min(range.end, range.begin + kMostLines);
      for (std::uint32_t line = range.begin; line < end; ++line)
        text += fmt::format("    {}  {:>5} {}\n", sign, line, lines(path, line));
    };
    for (const EditedPlace &edit : llvm::ArrayRef(edits).take_front(kMostPlaces)) {
      write('-', edit.path, edit.baseline, view_.baselineLines);
      write('+', edit.path, edit.current, view_.currentLines);
    }
    report_.excerpts.push_back(std::move(text));
    return known->second;
  }

  const DeltaView &view_;
  const SelectInput &input_;
  SelectionReport &report_;
  std::map<FunctionId, FunctionId> changed_; ///< baseline to current
  std::map<FunctionId, std::uint32_t> excerpts_;
  std::map<std::vector<EditedPlace>, std::uint32_t> editExcerpts_;
  std::map<std::pair<TestReason, std::string>, std::uint32_t> known_;
};

std::map<std::string, Framework> frameworksOf(llvm::ArrayRef<RecordedTest> tests) {
  std::map<std::string, Framework> frameworks;
  for (const RecordedTest &test : tests)
    if (test.framework)
      frameworks.emplace(test.binary, *test.framework);
  return frameworks;
}

void addNew(const DeltaView &view, const SelectInput &input, SelectionReport &report) {
  std::map<std::string, Framework> frameworks = frameworksOf(input.tests);
  std::uint32_t reason = static_cast<std::uint32_t>(report.reasons.size());
  for (const NewTest &added : input.registered.added) {
    ReportedTest test;
    test.test.binary = added.binary;
    test.test.name = added.name;
    test.test.file = added.path;
    test.test.line = added.line;
    if (auto known = frameworks.find(added.binary); known != frameworks.end()) {
      test.test.framework = known->second;
      // The path of a case of Boost.Test; doctest's suites are not known.
      if (known->second == Framework::BoostTest && llvm::StringRef(added.name).contains('/'))
        test.test.suite = llvm::StringRef(added.name).rsplit('/').first.str();
      test.test.native = {added.name, false, false};
    }
    test.verdict = Verdict::New;
    test.reasons = {reason++};
    std::string text = "it was not recorded";
    if (!added.path.empty())
      text += fmt::format("; {}:{} makes it known", added.path, added.line);
    report.reasons.push_back({"new", added.path, added.line, "", "", text, {}});
    report.tests.push_back(std::move(test));
  }
  for (const RegistrationChange &change : input.registered.changes)
    for (SourcePosition where : change.unnamed)
      report.doubts.push_back(
          {fmt::format("{} may have tests that only the built program can list", change.binary),
           nameText(view, where.file), where.line});
}

/// Names of doctest and Boost.Test do not say all: the first has suites besides, and tests of the
/// second may need others.
void addOpen(const SelectInput &input, SelectionReport &report) {
  std::map<std::string, Framework> frameworks = frameworksOf(input.tests);
  std::set<std::string> open;
  for (const RegistrationChange &change : input.registered.changes)
    if (!change.unnamed.empty())
      open.insert(change.binary);
  for (const std::string &binary : input.registered.reregistered)
    if (auto known = frameworks.find(binary);
        known != frameworks.end() &&
        (known->second == Framework::Doctest || known->second == Framework::BoostTest))
      open.insert(binary);
  report.open.assign(open.begin(), open.end());
}

void addUncovered(const Describer &describer, const DeltaView &view, const SelectInput &input,
                  const Selection &selection, SelectionReport &report) {
  std::set<UncoveredChange> uncovered;
  for (std::uint32_t index : selection.uncovered) {
    const DangerousEdge &edge = input.delta.edges[index];
    ReportedReason reason = describer.ofChange(edge);
    uncovered.insert({nameText(view, input.baseline[edge.function].name), reason.path, reason.line,
                      reason.text});
  }
  for (FunctionId id : unreachedFunctions(input.delta, view.current, view.names,
                                          describer.idleFunctions(selection.uncovered))) {
    const Function &function = view.current[id];
    uncovered.insert({nameText(view, function.name), nameText(view, function.where.begin.file),
                      function.where.begin.line, "was added, and nothing is seen to call it"});
  }
  report.uncovered.assign(uncovered.begin(), uncovered.end());
}

} // namespace

std::size_t countSelected(const SelectionReport &report) {
  return static_cast<std::size_t>(llvm::count_if(report.tests, isSelected));
}

void describeSelection(const DeltaView &view, const SelectInput &input, const Selection &selection,
                       SelectionReport &report) {
  Describer describer(view, input, report);
  for (std::uint32_t i = 0; i < selection.tests.size(); ++i) {
    const TestVerdict &verdict = selection.tests[i];
    report.tests[i].verdict = verdict.verdict;
    for (TestReason why : verdict.reasons)
      report.tests[i].reasons.push_back(describer.indexOf(why, {i}));
    llvm::sort(report.tests[i].reasons);
    for (std::uint32_t edge : verdict.near)
      report.tests[i].near.push_back(describer.indexOf({TestReasonKind::Edge, edge}, {i}));
  }
  addNew(view, input, report);
  addOpen(input, report);
  addUncovered(describer, view, input, selection, report);
  for (const Doubt &doubt : input.delta.doubts)
    report.doubts.push_back({doubt.text,
                             doubt.where.isKnown() ? nameText(view, doubt.where.file) : "",
                             doubt.where.isKnown() ? doubt.where.line : 0});
}

void selectAll(SelectionReport &report, const std::string &reason) {
  report.reason = reason;
  report.reasons = {{"fallback", "", 0, "", "", reason, {}}};
  for (ReportedTest &test : report.tests) {
    test.verdict = test.test.status == TestStatus::Disabled ? Verdict::Disabled : Verdict::Doubt;
    test.reasons = {0};
    test.near.clear();
  }
  report.excerpts.clear();
  report.uncovered.clear();
}

void finishReport(SelectionReport &report) {
  llvm::sort(report.tests, [](const ReportedTest &a, const ReportedTest &b) {
    return std::pair(idOf(a.test), &a) < std::pair(idOf(b.test), &b);
  });
  bool hasSkipped = llvm::any_of(
      report.tests, [](const ReportedTest &test) { return test.verdict == Verdict::Skipped; });
  if (!report.reason.empty())
    report.kind = SelectionKind::All;
  else if (countSelected(report) == 0)
    report.kind = SelectionKind::None;
  else
    report.kind = hasSkipped ? SelectionKind::Subset : SelectionKind::All;
}

llvm::StringRef wordFor(Verdict verdict) {
  switch (verdict) {
  case Verdict::Skipped:
    return "skipped";
  case Verdict::Affected:
    return "affected";
  case Verdict::Doubt:
    return "doubt";
  case Verdict::Unmeasured:
    return "unmeasured";
  case Verdict::Failed:
    return "failed";
  case Verdict::Always:
    return "always";
  case Verdict::New:
    return "new";
  case Verdict::Disabled:
    return "disabled";
  }
  llvm_unreachable("all verdicts are named");
}

llvm::StringRef wordFor(SelectionKind kind) {
  switch (kind) {
  case SelectionKind::Subset:
    return "subset";
  case SelectionKind::None:
    return "none";
  case SelectionKind::All:
    return "all";
  }
  llvm_unreachable("all kinds are named");
}

} // namespace retest
