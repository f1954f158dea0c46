#include "build/bazel.h"
#include "build/paths.h"
#include "cli/bazel_steering.h"
#include "cli/changed_files.h"
#include "cli/runner_parts.h"
#include "support/error.h"
#include "support/git.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>

#include <map>
#include <set>

namespace retest {

namespace {

constexpr char kAll[] = "//...\n";
constexpr char kNone[] = "//...\n-//...\n";
/// Bazel is asked once for each changed file, in a tenth of a second or less.
constexpr std::size_t kMostQueries = 200;
constexpr std::size_t kMostNotes = 5;

/// What a file of patterns cannot say: newer versions of Bazel read comments in it.
bool isPlain(llvm::StringRef label) { return label.find_first_of("# \t") == llvm::StringRef::npos; }

/// The programs that a test ran when it was recorded.
std::vector<std::string> programsOf(const ReportedTest &test) {
  if (!test.test.binary.empty())
    return {test.test.binary};
  return {test.test.programs.begin(), test.test.programs.end()};
}

/// The programs that a name in retest.toml may mean.
std::set<std::string> programsNamed(const SelectionReport &report, llvm::StringRef typed) {
  std::set<std::string> named;
  for (const ReportedTest &test : report.tests)
    for (const std::string &binary : programsOf(test))
      if (namesBinary(typed, binary))
        named.insert(binary);
  return named;
}

/// Whether none of the tests that a program has, or may have, needs to run.
bool isSkipped(const SelectionReport &report, const std::string &program) {
  bool isAnySkipped = false;
  for (const ReportedTest &test : report.tests) {
    if (!llvm::is_contained(programsOf(test), program))
      continue;
    // Bazel has no word for CTest's DISABLED.
    bool isDisabledByItself =
        test.verdict == Verdict::Disabled && test.test.native && test.test.native->isDisabled;
    if (test.verdict != Verdict::Skipped && !isDisabledByItself)
      return false;
    isAnySkipped |= test.verdict == Verdict::Skipped;
  }
  return isAnySkipped && !llvm::is_contained(report.open, program);
}

/// The files from which a recorded program was made: what changed in them was compared.
class ComparedFiles {
public:
  explicit ComparedFiles(const SelectionBasis &basis) : index_(*basis.index) {
    for (const Binary &binary : basis.tree->links.get().binaries)
      binaries_.emplace(binary.name, &binary);
    for (const StoredUnit &unit : index_.units)
      units_.emplace(unit.name, &unit);
  }

  /// By name, of a binary and all that is linked into it.
  const llvm::StringSet<> &of(const std::string &binary) {
    auto [files, isNew] = files_.try_emplace(binary);
    if (isNew) {
      std::set<std::string> visited;
      collect(binary, visited, files->second);
    }
    return files->second;
  }

private:
  void collect(const std::string &binary, std::set<std::string> &visited,
               llvm::StringSet<> &files) const {
    auto found = binaries_.find(binary);
    if (found == binaries_.end() || !visited.insert(binary).second)
      return;
    for (const LinkInput &input : found->second->inputs) {
      if (input.kind == LinkInput::Kind::Archive || input.kind == LinkInput::Kind::SharedLibrary)
        collect(input.name, visited, files);
      auto unit = units_.find(input.name);
      if (input.kind != LinkInput::Kind::Unit || unit == units_.end())
        continue;
      for (FileVersionId version : unit->second->files.inputs)
        files.insert(index_.files.paths[index_.files.versions[version.value].path.value]);
    }
  }

  const BaselineIndex &index_;
  std::map<std::string, const Binary *> binaries_;
  std::map<std::string, const StoredUnit *> units_;
  std::map<std::string, llvm::StringSet<>> files_;
};

/// Which labels need not run, and why others do although no test of their program is selected.
///
/// The user says that they run a program as it was recorded. But Bazel may make it from more, so a
/// label is left out only if nothing behind it may have changed that was not compared.
class LabelChooser {
public:
  LabelChooser(const SelectionReport &report, const SelectionBasis &basis, const BazelTests &bazel)
      : basis_(basis), bazel_(bazel), compared_(basis) {
    leaveOut(report);
  }

  llvm::Error lookAtFiles(const std::vector<std::string> &changed) {
    std::set<std::string> known, changedPaths;
    if (auto files = filesOfWorkTree(basis_.paths.root))
      for (const std::string &file : *files)
        known.insert(joinPath(basis_.paths.root, file));
    for (const std::string &file : changed) {
      std::string path = joinPath(basis_.paths.root, file);
      if (llvm::sys::fs::exists(path))
        changedPaths.insert(realPath(path));
      else // who used it before, Bazel cannot tell
        keepWhereNotCompared(file, allLeft(), file + " is gone");
    }
    std::vector<std::string> unknown;
    std::size_t queries = 0;
    for (const BazelSource &source : bazel_.sources) {
      if (isOfBazel(source.path))
        continue;
      // Also a directory; also one of a repository that lies in this one, with rules of its own.
      if (!known.count(source.path) || llvm::StringRef(source.label).starts_with("@")) {
        unknown.push_back(source.label);
        continue;
      }
      if (!changedPaths.count(source.path))
        continue;
      if (++queries > kMostQueries)
        return error("so many files have changed");
      auto users = bazelTestsUsing(basis_.paths.root, source.label);
      if (!users)
        return users.takeError();
      keepWhereNotCompared(basis_.paths.nameOf(source.path), *users,
                           source.label + " has changed, and was not compared as C++ alone");
    }
    if (unknown.empty())
      return llvm::Error::success();
    auto users = bazelTestsUsing(basis_.paths.root, unknown);
    if (!users)
      return users.takeError();
    for (const std::string &label : *users)
      keep(label, "it uses a file that git does not have here");
    return llvm::Error::success();
  }

  /// The labels that are left out, with the programs that they run.
  const std::map<std::string, std::vector<std::string>> &left() const { return left_; }
  const std::vector<std::string> &notes() const { return notes_; }

private:
  /// A program that a label runs is not known, or one of its tests has to run.
  void leaveOut(const SelectionReport &report) {
    std::set<std::string> kept;
    for (const BazelLabel &entry : basis_.tree->config.bazel) {
      const std::string &label = entry.label.text;
      std::string place = placeText(basis_.tree->config.path, entry.label.where);
      if (!llvm::is_contained(bazel_.labels, label))
        notes_.push_back(fmt::format("{}: `bazel test //...` runs no {}", place, label));
      std::set<std::string> programs = programsNamed(report, entry.program.text);
      if (programs.size() != 1)
        notes_.push_back(fmt::format("{}: {} recorded program is called {}, so {} runs", place,
                                     programs.empty() ? "no" : "more than one", entry.program.text,
                                     label));
      // All programs of a label have to be skipped.
      if (!llvm::is_contained(bazel_.labels, label) || !isPlain(label) || programs.size() != 1 ||
          !isSkipped(report, *programs.begin()))
        kept.insert(label);
      else
        left_[label].push_back(*programs.begin());
    }
    for (const std::string &label : kept)
      left_.erase(label);
  }

  /// What Bazel brings along or has fetched.
  bool isOfBazel(const std::string &path) const {
    return !path.empty() && !isWithin(path, basis_.paths.root) &&
           llvm::any_of(bazel_.own, [&](const auto &place) { return isWithin(path, place); });
  }

  std::vector<std::string> allLeft() const {
    std::vector<std::string> labels;
    for (const auto &[label, binaries] : left_)
      labels.push_back(label);
    return labels;
  }

  void keep(const std::string &label, const std::string &why) {
    if (left_.erase(label) != 0)
      notes_.push_back(fmt::format("{} runs: {}", label, why));
  }

  void keepWhereNotCompared(const std::string &file, const std::vector<std::string> &labels,
                            const std::string &why) {
    for (const std::string &label : labels)
      if (auto found = left_.find(label);
          found != left_.end() &&
          (bazel_.mixed.count(label) || llvm::any_of(found->second, [&](const auto &binary) {
             return !compared_.of(binary).contains(file);
           })))
        keep(label, why);
  }

  const SelectionBasis &basis_;
  const BazelTests &bazel_;
  ComparedFiles compared_;
  std::map<std::string, std::vector<std::string>> left_;
  std::vector<std::string> notes_;
};

/// Skipped tests that run, because the label of their program does.
std::vector<std::string> extraTests(const SelectionReport &report, const Config &config,
                                    const std::map<std::string, std::vector<std::string>> &left) {
  auto isRunning = [&](const std::string &binary) {
    return llvm::any_of(config.bazel, [&](const BazelLabel &entry) {
      return !left.count(entry.label.text) && namesBinary(entry.program.text, binary);
    });
  };
  std::vector<std::string> extra;
  for (const ReportedTest &test : report.tests)
    if (test.verdict == Verdict::Skipped &&
        (isRunning(test.test.binary) || llvm::any_of(test.test.programs, isRunning)))
      extra.push_back(idOf(test.test));
  return extra;
}

RunnerText allBecause(const std::string &why) {
  return {kAll, {}, {"all tests of Bazel are to be run: " + why}};
}

} // namespace

llvm::Expected<RunnerText> bazelText(const SelectionReport &report, const SelectionBasis &basis) {
  if (!basis.paths.root.empty() && !isBazelWorkspace(basis.paths.root))
    return error(
        ErrorKind::Usage,
        "{}: not the top of a Bazel workspace: neither WORKSPACE nor MODULE.bazel is there",
        basis.paths.root);
  if (!report.reason.empty() || !basis.isComplete)
    return RunnerText{kAll};
  if (basis.tree->config.bazel.empty())
    return allBecause("retest.toml does not say which label runs which program ([[bazel]])");
  std::vector<std::string> changed = changedFiles(basis.paths, basis.index->info);
  if (auto file = llvm::find_if(changed, isBazelFile); file != changed.end())
    return allBecause(*file + " has changed, and what Bazel was told before is not recorded");
  llvm::Expected<BazelTests> bazel = readBazelTests(basis.paths.root);
  if (!bazel)
    return allBecause(llvm::toString(bazel.takeError()));
  llvm::Expected<std::string> steered = steeredBy(changed, *bazel, basis.paths.root);
  if (!steered)
    return allBecause(llvm::toString(steered.takeError()));
  if (!steered->empty())
    return allBecause(*steered);
  LabelChooser chooser(report, basis, *bazel);
  if (llvm::Error problem = chooser.lookAtFiles(changed))
    return allBecause(llvm::toString(std::move(problem)));

  RunnerText result{kAll, extraTests(report, basis.tree->config, chooser.left()), chooser.notes()};
  if (result.notes.size() > kMostNotes) {
    std::size_t more = result.notes.size() - kMostNotes;
    result.notes.resize(kMostNotes);
    result.notes.push_back(fmt::format("so do {} more labels", more));
  }
  if (chooser.left().size() == bazel->labels.size())
    result.text = kNone;
  else
    for (const auto &[label, programs] : chooser.left())
      result.text += "-" + label + "\n";
  return result;
}

} // namespace retest
