#include "cli/runner_parts.h"

#include "build/meson_build.h"
#include "build/paths.h"
#include "build/test_discovery.h"
#include "cli/suite_entries.h"
#include "cli/tree.h"
#include "report/wanted_entries.h"
#include "run/ctest_filter.h"
#include "run/unbuilt_commands.h"
#include "support/error.h"
#include "support/shell.h"

#include <llvm/ADT/STLExtras.h>

#include <set>

namespace retest {

namespace {

/// Programs whose tests become entries only when they are built have one entry until then, which
/// stands for all of them. What the filter is used for comes after the build: the entries that were
/// recorded are in it too.
SelectionReport withUndiscovered(SelectionReport report, const ProjectPaths &paths,
                                 std::vector<SuiteEntry> &entries) {
  std::set<std::string> names;
  for (const SuiteEntry &entry : entries)
    names.insert(entry.name);
  for (const TestDiscovery &discovery : testDiscoveries(paths)) {
    std::string all = discovery.target + "_NOT_BUILT";
    if (names.count(all) == 0)
      continue;
    for (ReportedTest &test : report.tests) {
      if (test.test.binary != discovery.binary)
        continue;
      for (const std::string &name : test.test.entries)
        if (names.insert(name).second)
          entries.push_back({name});
      test.test.entries.push_back(all);
    }
  }
  return report;
}

} // namespace

std::string filterDirectory(const RunnerOptions &options, const ProjectPaths &paths) {
  return options.directory.empty() ? joinPath(stateDirectory(paths), "filters") : options.directory;
}

std::string binaryOf(llvm::StringRef path, const ProjectPaths &paths) {
  return paths.nameOf(realPath(path));
}

llvm::Expected<std::vector<SuiteEntry>> entriesOf(const SelectionReport &report,
                                                  const ProjectPaths &paths) {
  std::set<std::string> programs;
  for (const ReportedTest &test : report.tests)
    if (!test.test.binary.empty())
      programs.insert(paths.pathOf(test.test.binary));
  auto entries = suiteEntries(paths, std::vector<std::string>(programs.begin(), programs.end()));
  if (entries)
    addUnbuiltCommands(*entries, paths.build);
  return entries;
}

std::string notEntriesYet(const std::string &binary) {
  return binary + " has tests that may not be entries of CTest before it is built; those that are "
                  "not do not run";
}

llvm::Expected<std::vector<std::vector<std::string>>>
ctestStarts(llvm::ArrayRef<SuiteEntry> entries, const std::vector<bool> &isWanted,
            const std::vector<bool> &runsElsewhere, FilterForm form, FilterFiles &files,
            RunnerText &result) {
  llvm::Expected<CTestVersion> version = readCTestVersion();
  if (!version)
    return version.takeError();
  std::set<std::string> extra;
  std::vector<std::vector<std::string>> starts;
  std::vector<SuiteFilter> filters = {ctestFilter(entries, isWanted, form, *version)};
  if (form == FilterForm::Include) // tests that are built before it is used must not shift it
    filters = ctestFiltersByName(entries, isWanted, *version);
  for (const SuiteFilter &filter : filters) {
    for (std::size_t i : filter.extra)
      if (!isWanted[i] && !runsElsewhere[i])
        extra.insert(entries[i].name);
    for (const RunnerStart &start : filter.starts) {
      llvm::Expected<std::vector<std::string>> arguments = files.argumentsOf(start, "ctest");
      if (!arguments)
        return arguments.takeError();
      if (start.mayRunNothing)
        std::replace(arguments->begin(), arguments->end(), std::string("--no-tests=error"),
                     std::string("--no-tests=ignore"));
      starts.push_back(std::move(*arguments));
    }
  }
  llvm::append_range(result.extra, extra);
  return starts;
}

llvm::Expected<RunnerText> ctestText(const SelectionReport &report, const ProjectPaths &paths,
                                     const RunnerOptions &options) {
  if (isMesonBuild(paths.build))
    return error(ErrorKind::Usage, "{}: Meson runs its tests; use --format meson", paths.build);
  if (!report.reason.empty() && options.form == FilterForm::Exclude)
    return RunnerText{"--no-tests=error\n"};
  llvm::Expected<std::vector<SuiteEntry>> entries = readCTestSuite(paths.build);
  if (!entries)
    return entries.takeError();
  addUnbuiltCommands(*entries, paths.build);
  SelectionReport known = withUndiscovered(report, paths, *entries);
  std::vector<bool> isWanted = wantedEntries(known, *entries, options.form, binaryNames(paths));
  FilterFiles files(filterDirectory(options, paths));
  RunnerText result;
  llvm::Expected<std::vector<std::vector<std::string>>> starts = ctestStarts(
      *entries, isWanted, std::vector<bool>(entries->size()), options.form, files, result);
  if (!starts)
    return starts.takeError();
  if (starts->empty()) // no name is empty
    starts->push_back({"--no-tests=ignore", "-R", "^$"});
  for (const std::vector<std::string> &arguments : *starts)
    result.text += shellCommand(arguments) + "\n";
  if (options.form == FilterForm::Include)
    for (const std::string &binary : programsWithMore(report))
      result.notes.push_back(notEntriesYet(binary));
  return result;
}

} // namespace retest
