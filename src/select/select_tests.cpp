#include "select/select_tests.h"

#include <llvm/ADT/STLExtras.h>

#include <set>

namespace retest {

namespace {

SelectRule ruleFor(const DangerousEdge &edge, const Witness &) {
  switch (edge.place) {
  case EdgePlace::Entry:
    return SelectRule::Entries;
  case EdgePlace::Flow:
    return SelectRule::FlowEdges;
  case EdgePlace::Call:
    return SelectRule::Calls;
  case EdgePlace::VirtualCall:
    return SelectRule::VirtualCalls;
  }
  llvm_unreachable("an edge without a place");
}
SelectRule ruleFor(const DangerousClassEntry &, const Witness &witness) {
  return witness.constructed.isValid() ? SelectRule::ClassMakers : SelectRule::MethodEntries;
}
SelectRule ruleFor(const DangerousProgram &, const Witness &) { return SelectRule::Programs; }

/// Every dangerous thing of a delta, with its witness.
template <class Act>
void forEachWitness(const Delta &delta, const Project &baseline, const Names &names,
                    const SelectRules &rules, Act act) {
  Witnesses witnesses(baseline, names, rules);
  auto each = [&](TestReasonKind kind, const auto &list) {
    for (std::uint32_t i = 0; i < list.size(); ++i)
      if (Witness witness = witnesses.of(list[i]); rules(ruleFor(list[i], witness)))
        act(TestReason{kind, i}, list[i].reason, witness);
  };
  each(TestReasonKind::Edge, delta.edges);
  each(TestReasonKind::ClassEntry, delta.classEntries);
  each(TestReasonKind::Program, delta.programs);
}

/// Changes whose effect is not known.
bool isDoubt(ChangeKind kind) {
  return kind == ChangeKind::CompiledOut || kind == ChangeKind::NotParsed;
}

class TestSelection {
public:
  explicit TestSelection(const SelectInput &input)
      : input_(input), join_(input.rows, input.tests, input.baseline, input.names) {
    selection_.tests.resize(input.tests.size());
  }

  Selection run() {
    addDangers();
    for (std::uint32_t i = 0; i < input_.files.size(); ++i)
      for (TestId test : input_.files[i].tests)
        add(test, {TestReasonKind::File, i},
            input_.files[i].change == FileChangeKind::NotKnown ? Verdict::Doubt
                                                               : Verdict::Affected);
    for (std::uint32_t i = 0; i < input_.environment.size(); ++i)
      for (TestId test : input_.environment[i].tests)
        add(test, {TestReasonKind::Environment, i}, Verdict::Affected);
    for (std::uint32_t i = 0; i < input_.registered.changes.size(); ++i)
      for (TestId test : input_.registered.changes[i].tests)
        add(test, {TestReasonKind::Registration, i}, Verdict::Affected);
    for (std::uint32_t i = 0; i < input_.triggered.size(); ++i)
      for (TestId test : input_.triggered[i].tests)
        add(test, {TestReasonKind::Trigger, i}, Verdict::Affected);
    for (TestId test : input_.resettled)
      add(test, {TestReasonKind::Settings, 0}, Verdict::Affected);
    addOwnReasons();
    addReaders();
    addNear();
    for (TestVerdict &test : selection_.tests)
      llvm::sort(test.reasons);
    return std::move(selection_);
  }

private:
  /// The strongest verdict stays: what is affected is not a doubt, what is known to be affected is
  /// not only unmeasured.
  void add(TestId test, TestReason why, Verdict verdict) {
    TestVerdict &known = selection_.tests[test.value];
    known.reasons.push_back(why);
    if (known.verdict == Verdict::Skipped || verdict < known.verdict)
      known.verdict = verdict;
  }

  void addDangers() {
    forEachWitness(input_.delta, input_.baseline, input_.names, input_.rules,
                   [&](TestReason why, const Reason &reason, const Witness &witness) {
                     std::vector<TestId> tests = join_.testsOf(limited(witness));
                     for (TestId test : tests)
                       add(test, why, verdictFor(reason.kind));
                     if (tests.empty() && why.kind == TestReasonKind::Edge &&
                         !input_.baseline[input_.delta.edges[why.index].function].isDoneInPlace)
                       selection_.uncovered.push_back(why.index);
                   });
  }

  Verdict verdictFor(ChangeKind kind) const {
    return isDoubt(kind) && input_.rules(SelectRule::Doubts) ? Verdict::Doubt : Verdict::Affected;
  }

  Witness limited(Witness witness) const {
    if (!input_.rules(SelectRule::ProgramLimits))
      witness.programs.clear();
    return witness;
  }

  void addOwnReasons() {
    for (std::uint32_t i = 0; i < input_.tests.size(); ++i) {
      const RecordedTest &test = input_.tests[i];
      if (!test.unmeasured.empty() && input_.rules(SelectRule::Unmeasured))
        add({i}, {TestReasonKind::Unmeasured, 0},
            test.status == TestStatus::Disabled ? Verdict::Disabled : Verdict::Unmeasured);
      if (isFailure(test.status))
        add({i}, {TestReasonKind::Failed, 0}, Verdict::Failed);
    }
    for (TestId test : input_.always)
      add(test, {TestReasonKind::Always, 0}, Verdict::Always);
    for (TestId test : input_.quarantined)
      add(test, {TestReasonKind::Quarantine, 0}, Verdict::Always);
  }

  /// Who reads what a selected test writes may read something else now; and so on from there.
  void addReaders() {
    std::multimap<TestId, const SharedFile *> written;
    for (const SharedFile &file : input_.sharedFiles)
      for (TestId writer : file.writers)
        written.emplace(writer, &file);
    std::vector<TestId> open;
    for (std::uint32_t i = 0; i < selection_.tests.size(); ++i)
      if (selection_.tests[i].verdict != Verdict::Skipped)
        open.push_back({i});
    std::set<TestId> selected(open.begin(), open.end());
    while (!open.empty()) {
      TestId writer = open.back();
      open.pop_back();
      for (auto [file, end] = written.equal_range(writer); file != end; ++file)
        for (TestId reader : file->second->readers)
          if (selected.insert(reader).second) {
            add(reader, {TestReasonKind::Writer, writer.value}, Verdict::Affected);
            open.push_back(reader);
          }
    }
  }

  void addNear() {
    constexpr std::size_t kMost = 3;
    for (std::uint32_t i = 0; i < input_.delta.edges.size(); ++i)
      for (TestId test :
           join_.testsOf({{{input_.delta.edges[i].function, std::nullopt}}, {}, {}})) {
        TestVerdict &verdict = selection_.tests[test.value];
        if (verdict.verdict == Verdict::Skipped && verdict.near.size() < kMost)
          verdict.near.push_back(i);
      }
  }

  const SelectInput &input_;
  WitnessJoin join_;
  Selection selection_;
};

} // namespace

WantedRows wantedRows(const Delta &delta, const Project &baseline, const Names &names,
                      const SelectRules &rules) {
  std::set<FunctionId> functions;
  std::set<NameId> constructed;
  forEachWitness(delta, baseline, names, rules,
                 [&](TestReason, const Reason &, const Witness &witness) {
                   for (const Probe &probe : witness.probes)
                     functions.insert(probe.function);
                   if (witness.constructed.isValid())
                     constructed.insert(witness.constructed);
                 });
  return {{functions.begin(), functions.end()}, {constructed.begin(), constructed.end()}};
}

Selection selectTests(const SelectInput &input) { return TestSelection(input).run(); }

} // namespace retest
