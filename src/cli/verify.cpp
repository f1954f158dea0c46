#include "cli/commands.h"
#include "cli/last_selection.h"
#include "cli/output.h"
#include "cli/suite_entries.h"
#include "cli/tree.h"
#include "report/program_tests.h"
#include "report/text_cells.h"
#include "report/verification.h"
#include "run/find_tests.h"
#include "run/list_tests.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

#include <map>
#include <set>

namespace retest {

namespace {

struct VerifyOptions {
  TreeOptions tree;
  std::vector<std::string> reports; ///< FILE or BINARY=FILE
  std::string output;
};

/// A whole word that is a file is one, whatever is in its name.
llvm::Expected<NamedExecution> readReport(llvm::StringRef word) {
  NamedExecution execution;
  if (!llvm::sys::fs::exists(word) && word.contains('=')) {
    execution.binary = word.split('=').first.str();
    word = word.split('=').second;
  }
  auto file = llvm::MemoryBuffer::getFile(word, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return error("{}: cannot be read: {}", word.str(), file.getError().message());
  llvm::Expected<ExecutionReport> report = readExecutionReport((*file)->getBuffer());
  if (!report)
    return error("{}: {}", word.str(), llvm::toString(report.takeError()));
  execution.report = std::move(*report);
  return execution;
}

llvm::Expected<std::vector<NamedExecution>> readReports(const std::vector<std::string> &words,
                                                        const SelectionReport &selection) {
  std::vector<NamedExecution> executions;
  for (const std::string &word : words) {
    llvm::Expected<NamedExecution> execution = readReport(word);
    if (!execution)
      return execution.takeError();
    if (llvm::none_of(selection.tests, [&](const ReportedTest &test) {
          return namesBinary(execution->binary, test.test.binary);
        }))
      return error(ErrorKind::Usage, "{}: no program of the selection has this name", word);
    executions.push_back(std::move(*execution));
  }
  return executions;
}

/// Which tests are no longer there: a selection has those of the baseline, also such as the change
/// removes. Programs are asked; what cannot be asked has all its tests.
class PresentTests {
public:
  explicit PresentTests(const ProjectPaths &paths) : paths_(paths) {}

  bool isGone(const RecordedTest &test) {
    return test.binary.empty() ? isEntryGone(test.name) : isCaseGone(test);
  }

private:
  bool isEntryGone(const std::string &name) {
    if (!entries_) {
      entries_.emplace();
      if (auto suite = suiteEntries(paths_, {})) {
        areEntriesKnown_ = true;
        for (const SuiteEntry &entry : *suite)
          entries_->insert(entry.name);
      } else {
        llvm::consumeError(suite.takeError());
      }
    }
    return areEntriesKnown_ && entries_->count(name) == 0;
  }

  bool isCaseGone(const RecordedTest &test) {
    if (!test.framework || !test.native)
      return false;
    auto [known, isNew] = programs_.try_emplace(test.binary);
    if (isNew)
      known->second = list(*test.framework, paths_.pathOf(test.binary));
    return known->second && known->second->count({test.suite, test.native->name}) == 0;
  }

  using Cases = std::set<std::pair<std::string, std::string>>;
  static std::optional<Cases> list(Framework framework, const std::string &program) {
    ProcessCommand command{.arguments = {program}, .removed = selectionVariables()};
    auto tests = listTests(framework, command);
    endListings();
    if (!tests) {
      llvm::consumeError(tests.takeError());
      return std::nullopt;
    }
    Cases cases;
    for (const NativeTest &test : *tests)
      cases.insert({test.suite, test.name});
    return cases;
  }

  const ProjectPaths &paths_;
  std::optional<std::set<std::string>> entries_;
  bool areEntriesKnown_ = false;
  std::map<std::string, std::optional<Cases>> programs_; ///< nothing: it cannot be asked
};

void writeVerification(llvm::raw_ostream &out, const SelectionReport &selection,
                       const Verification &verification, const std::vector<std::size_t> &gone) {
  auto list = [&](const char *word, const std::vector<std::size_t> &tests) {
    for (std::size_t i : tests)
      out << word << " " << oneLine(idOf(selection.tests[i].test)) << "\n";
  };
  list("missing", verification.missing);
  list("gone", gone);
  list("extra", verification.extra);
  for (const std::string &name : verification.unknown)
    out << "unknown " << oneLine(name) << "\n";
}

llvm::Expected<ExitCode> runVerify(const VerifyOptions &options, Context &context) {
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  llvm::Expected<SelectionReport> selection = loadSelection(*paths);
  if (!selection)
    return selection.takeError();
  if (!selection->knowsTests)
    return error("the last selection was of all tests, because {}; which tests these are it does "
                 "not know",
                 selection->reason);
  llvm::Expected<std::vector<NamedExecution>> executions = readReports(options.reports, *selection);
  if (!executions)
    return executions.takeError();

  Verification verification = verifyExecution(*selection, *executions);
  PresentTests present(*paths);
  std::vector<std::size_t> gone;
  llvm::erase_if(verification.missing, [&](std::size_t i) {
    if (!present.isGone(selection->tests[i].test))
      return false;
    gone.push_back(i);
    return true;
  });
  llvm::Expected<ExitCode> written =
      writeResult(options.output, context, [&](llvm::raw_ostream &out) {
        writeVerification(out, *selection, verification, gone);
        return llvm::Error::success();
      });
  if (!written)
    return written;
  context.info(fmt::format("{} of {} selected tests were executed; {} others were",
                           verification.executed, countSelected(*selection) - gone.size(),
                           verification.extra.size() + verification.unknown.size()));
  if (!verification.ambiguous.empty())
    context.info("several tests have the names of some that are missing: say which program a "
                 "report is of, as in calc_test=report.xml");
  return verification.missing.empty() ? ExitCode::Success : ExitCode::TestsFailed;
}

} // namespace

void addVerifyCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App *command = app.add_subcommand(
      "verify", "Compare what a runner executed with the tests that were selected last");
  command
      ->add_option("reports", options->reports,
                   "JUnit XML that runners wrote; BINARY=FILE says of which program")
      ->type_name("REPORT")
      ->required();
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  addPlaceOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runVerify(*options, context); };
  });
}

} // namespace retest
