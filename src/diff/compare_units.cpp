#include "diff/comparison.h"
#include "diff/unit_reason.h"

#include <fmt/format.h>
#include <llvm/ADT/DenseSet.h>

namespace retest {
namespace {

class UnitComparison {
public:
  UnitComparison(Comparison &comparison, ProgramPair pair) : comparison_(comparison), pair_(pair) {
    for (const ProgramUnit &unit : comparison.baselineProgram(pair).units)
      before_.insert(unit.unit.value);
    for (const ProgramUnit &unit : comparison.currentProgram(pair).units)
      after_.insert(unit.unit.value);
  }

  void compare(UnitPair unit) {
    const ProjectUnit *old = unit.baseline.isValid() && before_.contains(unit.baseline.value)
                                 ? &comparison_.baseline[unit.baseline]
                                 : nullptr;
    const ProjectUnit *now = unit.current.isValid() && after_.contains(unit.current.value)
                                 ? &comparison_.current[unit.current]
                                 : nullptr;
    if (comparison_.rules(Rule::Unparsed))
      for (const ProjectUnit *version : {now, old})
        if (version && !version->isParsed)
          return markUnparsed(*version);
    if (!old || !now)
      return;
    if (std::optional<Reason> reason = reasonOfUnit(comparison_, *old, *now))
      for (FunctionId function : old->functions)
        comparison_.addEdge({function, EdgePlace::Entry, 0, {}, {}, *reason, {}}, pair_.baseline);
    if (comparison_.rules(Rule::CompiledOut))
      for (NameId file : changedLeftOutText(*old, *now))
        markCompiledOut(file);
  }

private:
  void markUnparsed(const ProjectUnit &unit) {
    comparison_.addProgram(pair_.baseline, {ChangeKind::NotParsed, unit.name, {}, false, {}, {}});
    for (const Doubt &doubt : unit.doubts)
      comparison_.addDoubt(fmt::format("{}: {}", text(unit.name), doubt.text), doubt.where);
  }

  /// Files of the unit in which text changed that other configurations compile. A file that only
  /// one version of the unit reads does not count if the other version of the project has it as
  /// well.
  std::vector<NameId> changedLeftOutText(const ProjectUnit &old, const ProjectUnit &now) const {
    std::vector<NameId> files;
    auto compareOneWay = [&](const ProjectUnit &has, const ProjectUnit &other,
                             const Project &others) {
      for (const LeftOutText &text : has.compiledOut) {
        auto known = llvm::find_if(other.compiledOut,
                                   [&](const LeftOutText &like) { return like.file == text.file; });
        bool isSame = known != other.compiledOut.end()
                          ? known->text == text.text || known->content == text.content
                          : text.text == Fingerprint{} || isLeftOutIn(others, text);
        if (!isSame)
          files.push_back(text.file);
      }
    };
    compareOneWay(now, old, comparison_.baseline);
    compareOneWay(old, now, comparison_.current);
    return files;
  }

  static bool isLeftOutIn(const Project &project, const LeftOutText &text) {
    return llvm::any_of(project.units, [&](const ProjectUnit &unit) {
      return llvm::any_of(unit.compiledOut, [&](const LeftOutText &like) {
        return like.text == text.text || (like.file == text.file && like.content == text.content);
      });
    });
  }

  void markCompiledOut(NameId file) {
    comparison_.addProgram(pair_.baseline, {ChangeKind::CompiledOut, file, {}, false, {}, {}});
    comparison_.addDoubt(fmt::format(
        "{}: text outside functions changed that this configuration leaves out", text(file)));
  }

  std::string text(NameId name) const { return comparison_.names.text(name).str(); }

  Comparison &comparison_;
  ProgramPair pair_;
  llvm::DenseSet<std::uint32_t> before_, after_;
};

/// Link inputs that are no units: their names, and the content of those in the project.
void compareFiles(Comparison &comparison, ProgramPair pair) {
  const ProgramGraph &before = comparison.baselineProgram(pair);
  const ProgramGraph &after = comparison.currentProgram(pair);
  if (!comparison.rules(Rule::LinkFiles))
    return;
  auto mark = [&](const ProgramGraph &has, const ProgramGraph &lacks, bool isInBaseline) {
    for (const LinkFile &file : has.files)
      if (!llvm::is_contained(lacks.files, file))
        comparison.addProgram(pair.baseline,
                              {ChangeKind::LinkInput, file.name, {}, isInBaseline, {}, {}});
  };
  mark(after, before, false);
  mark(before, after, true);
}

} // namespace

void compareUnits(Comparison &comparison) {
  for (ProgramPair pair : comparison.programs) {
    UnitComparison units(comparison, pair);
    for (UnitPair unit : comparison.units)
      units.compare(unit);
    compareFiles(comparison, pair);
  }
}

} // namespace retest
