#include "build/paths.h"
#include "cli/run_targets.h"
#include "cli/runner_parts.h"
#include "report/wanted_entries.h"
#include "run/ctest_filter.h"

#include <llvm/ADT/STLExtras.h>

#include <map>

namespace retest {

namespace {

/// The programs that selected tests run; nothing: it cannot be told.
class NeededPrograms {
public:
  NeededPrograms(const SelectionReport &report, const ProjectPaths &paths,
                 const std::vector<SuiteEntry> &entries)
      : report_(report), paths_(paths), entries_(entries) {
    for (const SuiteEntry &entry : entries)
      byName_.emplace(entry.name, &entry);
  }

  std::optional<std::set<std::string>> find() {
    needed_.insert(report_.open.begin(), report_.open.end());
    for (const ReportedTest &test : report_.tests)
      if (isSelected(test) && !add(test.test))
        return std::nullopt;
    // What CTest runs for them.
    std::vector<bool> isWanted =
        wantedEntries(report_, entries_, FilterForm::Include, binaryNames(paths_));
    for (std::size_t i : ctestFilter(entries_, isWanted, FilterForm::Include, {}).extra)
      if (!addEntry(entries_[i]))
        return std::nullopt;
    return needed_;
  }

private:
  bool add(const RecordedTest &test) {
    needed_.insert(test.programs.begin(), test.programs.end());
    if (!test.binary.empty()) {
      needed_.insert(test.binary);
      return true;
    }
    bool isKnown = !test.programs.empty();
    for (auto [entry, end] = byName_.equal_range(test.name); entry != end; ++entry)
      isKnown |= addProgramOf(*entry->second);
    return isKnown;
  }

  bool addEntry(const SuiteEntry &entry) {
    bool isKnown = addProgramOf(entry);
    for (const ReportedTest &test : report_.tests)
      if (llvm::is_contained(test.test.entries, entry.name)) {
        needed_.insert(test.test.programs.begin(), test.test.programs.end());
        isKnown = true;
      }
    return isKnown;
  }

  /// Whether it is one that the build makes. A script may run any.
  bool addProgramOf(const SuiteEntry &entry) {
    if (entry.command.empty())
      return false;
    std::string path = realPath(entry.command.front());
    if (!isWithin(path, paths_.build))
      return false;
    needed_.insert(paths_.nameOf(path));
    return true;
  }

  const SelectionReport &report_;
  const ProjectPaths &paths_;
  const std::vector<SuiteEntry> &entries_;
  std::multimap<std::string, const SuiteEntry *> byName_;
  std::set<std::string> needed_;
};

} // namespace

llvm::Expected<RunnerText> targetsText(const SelectionReport &report, SelectionBasis &basis,
                                       TargetNames names) {
  const RunnerText all{"all\n"};
  if (!report.reason.empty() || !basis.isComplete)
    return all;
  llvm::Expected<std::vector<SuiteEntry>> entries = entriesOf(report, basis.paths);
  if (!entries)
    return entries.takeError();
  std::optional<std::set<std::string>> needed =
      NeededPrograms(report, basis.paths, *entries).find();
  if (!needed)
    return all;
  TargetPlan plan = planTargets(basis, *needed);
  if (plan.isAll)
    return all;
  std::set<std::string> lines(plan.data.begin(), plan.data.end());
  if (names == TargetNames::CMake)
    lines.insert(plan.names.begin(), plan.names.end());
  else
    for (const std::string &binary : *needed)
      lines.insert(partBelow(basis.paths.pathOf(binary), basis.paths.build).str());
  RunnerText result;
  for (const std::string &line : lines)
    result.text += line + "\n";
  return result;
}

} // namespace retest
