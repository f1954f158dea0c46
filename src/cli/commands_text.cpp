#include "build/meson_build.h"
#include "build/paths.h"
#include "cli/runner_parts.h"
#include "report/wanted_entries.h"
#include "run/entry_filter.h"
#include "support/shell.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <map>
#include <set>

namespace retest {

namespace {

/// Whether only CTest or Meson can say what counts as success, or what has to be there before. A
/// text by which CTest knows skipped tests changes nothing: they succeed as far as the program
/// says.
bool needsRunner(const SuiteEntry &entry) {
  return entry.willFail || !entry.passExpressions.empty() || !entry.failExpressions.empty() ||
         entry.skipReturnCode || entry.timeoutAfterMatch || !entry.depends.empty() ||
         !entry.fixturesRequired.empty() || !entry.fixturesSetup.empty() ||
         !entry.fixturesCleanup.empty() || !entry.requiredFiles.empty();
}

/// One way in which entries run a program.
struct Surroundings {
  std::string program, directory;
  std::vector<std::string> others; ///< arguments that do not choose tests
  std::vector<std::pair<std::string, std::string>> set;
  std::vector<std::string> removed;
  bool wakesDisabled = false; ///< by one of `others`

  auto operator<=>(const Surroundings &) const = default;
};

std::string commandLine(const Surroundings &around, const std::vector<std::string> &filter) {
  std::vector<std::string> words;
  if (!around.set.empty() || !around.removed.empty()) {
    words.emplace_back("env");
    for (const std::string &variable : around.removed)
      llvm::append_range(words, std::vector<std::string>{"-u", variable});
    for (const auto &[variable, value] : around.set)
      words.push_back(variable + "=" + value);
  }
  words.push_back(around.program);
  std::vector<std::string> arguments = around.others;
  auto end = llvm::find(arguments, "--"); // of Boost.Test: what follows is not the framework's
  arguments.insert(end, filter.begin(), filter.end());
  llvm::append_range(words, arguments);
  std::string line = shellCommand(words);
  return around.directory.empty() ? line
                                  : "(cd " + shellQuoted(around.directory) + " && " + line + ")";
}

class CommandsWriter {
public:
  CommandsWriter(const SelectionReport &report, const ProjectPaths &paths,
                 const RunnerOptions &options, const std::vector<SuiteEntry> &entries)
      : report_(report), paths_(paths), options_(options), entries_(entries),
        files_(filterDirectory(options, paths)) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      byName_[entries[i].name].push_back(i);
  }

  llvm::Expected<RunnerText> write() {
    for (const ProgramTests &program : programsOf(report_))
      if (llvm::Error failed = writeProgram(program))
        return failed;
    if (llvm::Error failed = writeOthers())
      return failed;
    llvm::sort(result_.extra);
    result_.extra.erase(std::unique(result_.extra.begin(), result_.extra.end()),
                        result_.extra.end());
    return std::move(result_);
  }

private:
  /// Nothing: CTest or Meson has to run it.
  std::optional<Surroundings> surroundingsOf(const SuiteEntry &entry, Framework framework) const {
    if (entry.command.empty() || needsRunner(entry))
      return std::nullopt;
    auto environment = environmentOf(entry);
    if (!environment) {
      llvm::consumeError(environment.takeError());
      return std::nullopt;
    }
    EntryFilter filter = entryFilterOf(framework, llvm::ArrayRef(entry.command).drop_front());
    if (!filter.problem.empty())
      return std::nullopt;
    // An entry for one test may have it just in case, as those of gtest_discover_tests: the filter
    // sees to it.
    bool wakesDisabled = filter.runsDisabled && !filter.name;
    if (!wakesDisabled)
      llvm::erase_if(filter.others, [&](const std::string &argument) {
        return retest::wakesDisabled(framework, argument);
      });
    return Surroundings{entry.command.front(), entry.directory,      filter.others,
                        environment->set,      environment->removed, wakesDisabled};
  }

  llvm::Error writeProgram(const ProgramTests &program) {
    if (!program.framework) { // it is new: nothing of it can be left out
      addLine({paths_.pathOf(program.binary), "", {}, {}, {}}, {});
      return llvm::Error::success();
    }
    std::map<Surroundings, std::set<std::size_t>> groups; // tests, by index in the report
    std::set<std::size_t> everywhere;                     // what no entry runs yet, or any more
    std::set<std::size_t> itsEntries;
    for (std::size_t i = 0; i < report_.tests.size(); ++i) {
      const RecordedTest &test = report_.tests[i].test;
      if (test.binary != program.binary)
        continue;
      bool isFound = false;
      for (const std::string &name : test.entries)
        if (auto known = byName_.find(name); known != byName_.end())
          for (std::size_t entry : known->second) {
            std::optional<Surroundings> around =
                surroundingsOf(entries_[entry], *program.framework);
            if (!around) { // CTest or Meson runs all of it
              if (llvm::is_contained(programsWithMore(report_), program.binary))
                leaveMoreToRunner(program.binary);
              return llvm::Error::success();
            }
            itsEntries.insert(entry);
            groups[*around].insert(i);
            isFound = true;
          }
      if (!isFound)
        everywhere.insert(i);
    }
    isDirect_.insert(itsEntries.begin(), itsEntries.end());
    if (groups.empty())
      groups[{paths_.pathOf(program.binary),
              llvm::sys::path::parent_path(paths_.pathOf(program.binary)).str(),
              {},
              {},
              {}}];
    for (const auto &[around, tests] : groups)
      if (llvm::Error failed = writeGroup(program, around, tests, everywhere))
        return failed;
    return llvm::Error::success();
  }

  void leaveMoreToRunner(const std::string &binary) {
    hasMore_ = true;
    if (options_.form == FilterForm::Include)
      result_.notes.push_back(notEntriesYet(binary));
  }

  /// What is run in another way is not wanted in this one.
  llvm::Error writeGroup(const ProgramTests &program, const Surroundings &around,
                         const std::set<std::size_t> &tests,
                         const std::set<std::size_t> &everywhere) {
    SelectionReport part;
    part.reason = report_.reason;
    part.open = report_.open;
    for (std::size_t i = 0; i < report_.tests.size(); ++i) {
      if (report_.tests[i].test.binary != program.binary)
        continue;
      part.tests.push_back(report_.tests[i]);
      if (!tests.count(i) && !everywhere.count(i))
        part.tests.back().verdict = Verdict::Skipped;
    }
    ProgramTests its = programsOf(part).front();
    if (!its.isOpen && !llvm::is_contained(its.isWanted, true))
      return llvm::Error::success();
    if (around.wakesDisabled)
      for (NativeTest &test : its.tests)
        test.isDisabled = false;
    llvm::Expected<ProgramFilter> filter = programFilter(its, *program.framework, options_.form);
    if (!filter)
      return filter.takeError();
    if (its.isOpen && options_.form == FilterForm::Include)
      result_.notes.push_back(notListedYet(program.binary));
    for (const NativeTest &test : filter->extra)
      result_.extra.push_back(idOf(program.binary, test));
    for (const RunnerStart &start : filter->starts) {
      if (start.mayRunNothing && !its.isOpen)
        continue;
      llvm::Expected<std::vector<std::string>> arguments =
          files_.argumentsOf(start, llvm::sys::path::filename(program.binary));
      if (!arguments)
        return arguments.takeError();
      addLine(around, *arguments);
    }
    return llvm::Error::success();
  }

  /// What no program was started for.
  llvm::Error writeOthers() {
    std::vector<bool> isWanted =
        wantedEntries(report_, entries_, options_.form, binaryNames(paths_));
    std::vector<bool> runsElsewhere(entries_.size());
    for (std::size_t entry : isDirect_) {
      isWanted[entry] = false;
      runsElsewhere[entry] = true;
    }
    bool mayHaveMore = hasMore_ && options_.form == FilterForm::Exclude;
    if (!llvm::is_contained(isWanted, true) && !mayHaveMore)
      return llvm::Error::success();
    bool isMeson = isMesonBuild(paths_.build);
    llvm::Expected<std::vector<std::vector<std::string>>> starts =
        isMeson ? mesonStarts(entries_, isWanted, runsElsewhere, result_)
                : ctestStarts(entries_, isWanted, runsElsewhere, options_.form, files_, result_);
    if (!starts)
      return starts.takeError();
    const std::vector<std::string> runner =
        isMeson ? std::vector<std::string>{"meson", "test", "-C", paths_.build}
                : std::vector<std::string>{"ctest", "--test-dir", paths_.build};
    for (std::vector<std::string> &arguments : *starts) {
      arguments.insert(arguments.begin(), runner.begin() + 1, runner.end());
      addLine({runner.front(), "", arguments, {}, {}}, {});
    }
    return llvm::Error::success();
  }

  void addLine(const Surroundings &around, const std::vector<std::string> &filter) {
    result_.text += commandLine(around, filter) + "\n";
  }

  const SelectionReport &report_;
  const ProjectPaths &paths_;
  const RunnerOptions &options_;
  const std::vector<SuiteEntry> &entries_;
  FilterFiles files_;
  std::map<std::string, std::vector<std::size_t>> byName_;
  std::set<std::size_t> isDirect_; ///< entries whose programs are started by themselves
  bool hasMore_ = false; ///< CTest or Meson runs a program that has tests which it may not know yet
  RunnerText result_;
};

} // namespace

llvm::Expected<RunnerText> commandsText(const SelectionReport &report, const ProjectPaths &paths,
                                        const RunnerOptions &options) {
  llvm::Expected<std::vector<SuiteEntry>> entries = entriesOf(report, paths);
  if (!entries)
    return entries.takeError();
  return CommandsWriter(report, paths, options, *entries).write();
}

} // namespace retest
