#include "build/meson_build.h"
#include "cli/runner_parts.h"
#include "cli/tree.h"
#include "report/wanted_entries.h"
#include "run/meson_suite.h"
#include "support/error.h"
#include "support/process.h"
#include "support/shell.h"

#include <llvm/Support/VersionTuple.h>

#include <set>

namespace retest {
namespace {

// For `meson test`: any name in any project, and one that nobody has.
constexpr char kAll[] = ":";
constexpr char kNone[] = "no-test-is-selected";
/// Of one start; a single word of a command may have 128 KiB, and a terminal's line less.
constexpr std::size_t kMostBytes = 100 * 1024;

/// Since 1.2.0 `*`, `?` and brackets are patterns.
llvm::Expected<bool> hasPatterns() {
  llvm::Expected<ProcessResult> answer = runProcess({.arguments = {"meson", "--version"}});
  if (!answer)
    return answer.takeError();
  llvm::VersionTuple version;
  if (version.tryParse(llvm::StringRef(answer->output).trim()))
    return error("meson --version says '{}', which is no version",
                 llvm::StringRef(answer->output).trim().str());
  return version >= llvm::VersionTuple(1, 2);
}

/// The name as Meson has to be given it.
std::string argumentFor(std::string name, bool hasPatterns) {
  if (hasPatterns)
    std::replace_if(name.begin(), name.end(), [](char c) { return c == '[' || c == ']'; }, '?');
  // With a colon before it, it is no option and no project.
  return ":" + name;
}

} // namespace

llvm::Expected<std::vector<std::vector<std::string>>>
mesonStarts(llvm::ArrayRef<SuiteEntry> entries, const std::vector<bool> &isWanted,
            const std::vector<bool> &runsElsewhere, RunnerText &result) {
  llvm::Expected<bool> patterns = hasPatterns();
  if (!patterns)
    return patterns.takeError();
  std::set<std::string> names;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (isWanted[i])
      names.insert(entries[i].name);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!isWanted[i] && !runsElsewhere[i] && names.count(entries[i].name) != 0)
      result.extra.push_back(entries[i].name); // of another project, with the same name
  std::vector<std::vector<std::string>> starts;
  std::size_t bytes = kMostBytes;
  for (const std::string &name : names) {
    if (bytes + name.size() > kMostBytes) {
      starts.emplace_back();
      bytes = 0;
    }
    starts.back().push_back(argumentFor(name, *patterns));
    bytes += name.size() + 2;
  }
  return starts;
}

llvm::Expected<RunnerText> mesonText(const SelectionReport &report, const ProjectPaths &paths) {
  if (!isMesonBuild(paths.build))
    return error(ErrorKind::Usage, "{}: not a build directory of Meson; use --format ctest",
                 paths.build);
  if (!report.reason.empty())
    return RunnerText{std::string(kAll) + "\n"};
  llvm::Expected<std::vector<SuiteEntry>> entries =
      readMesonSuite(paths.build, stateDirectory(paths));
  if (!entries)
    return entries.takeError();
  if (entries->empty())
    return error("{}: Meson has no tests there; --format args starts the programs", paths.build);
  RunnerText result;
  auto starts = mesonStarts(
      *entries, wantedEntries(report, *entries, FilterForm::Exclude, binaryNames(paths)),
      std::vector<bool>(entries->size()), result);
  if (!starts)
    return starts.takeError();
  if (starts->empty())
    starts->push_back({kNone});
  for (const std::vector<std::string> &arguments : *starts)
    result.text += shellCommand(arguments) + "\n";
  return result;
}

} // namespace retest
