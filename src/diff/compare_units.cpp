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
    if (!old || !now || !old->isParsed || !now->isParsed)
      return;
    if (std::optional<Reason> reason = reasonOfUnit(comparison_, *old, *now))
      for (FunctionId function : old->functions)
        comparison_.addEdge({function, EdgePlace::Entry, 0, {}, {}, *reason, {}}, pair_.baseline);
    if (comparison_.rules(Rule::CompiledOut))
      for (NameId file : changedLeftOutText(*old, *now))
        markCompiledOut(file);
  }

  /// What cannot be read may name, define or override anything that changed elsewhere, so it does
  /// not help that it stayed as it was.
  void compareUnread() {
    for (bool isBaseline : {false, true}) {
      const Project &project = isBaseline ? comparison_.baseline : comparison_.current;
      const ProgramGraph &program =
          isBaseline ? comparison_.baselineProgram(pair_) : comparison_.currentProgram(pair_);
      for (UnitId unit : unitsOf(program))
        if (!project[unit].isParsed)
          markUnparsed(project[unit]);
      for (NameId unit : program.unread) {
        comparison_.addProgram(pair_.baseline, {ChangeKind::NotParsed, unit, {}, false, {}, {}});
        comparison_.addDoubt(fmt::format("{}: linked, but not a unit that was read", text(unit)));
      }
    }
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

/// Link inputs that are no units: their names, their order, and the content of those in the
/// project.
class FileComparison {
public:
  FileComparison(Comparison &comparison, ProgramPair pair)
      : comparison_(comparison), pair_(pair), before_(comparison.baselineProgram(pair)),
        after_(comparison.currentProgram(pair)) {}

  void run() {
    for (const LinkFile &file : after_.files)
      if (!isIn(before_, file))
        mark({ChangeKind::LinkInput, file.name, {}, false, {}, {}});
    for (const LinkFile &file : before_.files)
      if (!isIn(after_, file))
        mark({ChangeKind::LinkInput, file.name, {}, true, {}, {}});
    compareOrder();
    compareVariables();
  }

private:
  void mark(Reason reason) { comparison_.addProgram(pair_.baseline, reason); }

  static bool isSame(const LinkFile &a, const LinkFile &b) {
    return a.name == b.name && a.content == b.content;
  }
  static bool isIn(const ProgramGraph &program, const LinkFile &file) {
    return llvm::any_of(program.files, [&](const LinkFile &in) { return isSame(in, file); });
  }
  static bool isObject(const LinkFile &file) { return file.unitsBefore.has_value(); }

  /// In another order another one of them may define what both define, or be initialised first.
  void compareOrder() {
    for (const auto &[old, now] : llvm::zip(before_.files, after_.files)) {
      bool isMoved =
          !isSame(old, now) || (isObject(old) && isObject(now) && isMovedPastUnit(old, now));
      if (isMoved)
        return mark({ChangeKind::LinkInput, now.name, {}, false, {}, {}});
    }
  }

  bool isMovedPastUnit(const LinkFile &old, const LinkFile &now) const {
    if (pair_.hasSameUnits)
      return old.unitsBefore != now.unitsBefore;
    llvm::DenseMap<std::uint32_t, bool> wasBefore; // by current unit
    for (std::uint32_t index = 0; index < before_.units.size(); ++index)
      if (UnitId unit = comparison_.counterpart(before_.units[index].unit); unit.isValid())
        wasBefore[unit.value] = index < *old.unitsBefore;
    for (std::uint32_t index = 0; index < after_.units.size(); ++index)
      if (auto was = wasBefore.find(after_.units[index].unit.value);
          was != wasBefore.end() && was->second != (index < *now.unitsBefore))
        return true;
    return false;
  }

  /// Who writes assembly may name any variable.
  void compareVariables() {
    if (llvm::none_of(before_.files, isObject))
      return;
    for (NameId name : comparison_.entities.changedVariables())
      if (before_.variables.find(name)) {
        ChangedEntities::Place place = comparison_.entities.placeOf(name);
        return mark({ChangeKind::Variable, name, place.where, place.isInBaseline, {}, {}});
      }
  }

  Comparison &comparison_;
  ProgramPair pair_;
  const ProgramGraph &before_, &after_;
};

} // namespace

void compareUnits(Comparison &comparison) {
  for (ProgramPair pair : comparison.programs) {
    UnitComparison units(comparison, pair);
    for (UnitPair unit : comparison.units)
      units.compare(unit);
    if (comparison.rules(Rule::Unparsed))
      units.compareUnread();
    if (comparison.rules(Rule::LinkFiles))
      FileComparison(comparison, pair).run();
  }
}

} // namespace retest
