#include "cli/commands.h"
#include "cli/last_selection.h"
#include "cli/nearest_function.h"
#include "cli/output.h"
#include "cli/tree.h"
#include "report/explanation.h"
#include "report/text_cells.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>

namespace retest {

namespace {

struct ExplainOptions {
  TreeOptions tree;
  std::string test;
  std::string change;
  std::string output;
  bool whyNot = false; ///< for the reader: the answer says in any case what is so
};

/// "id, id and 3 more".
std::string some(const std::vector<const ReportedTest *> &tests) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> ids;
  for (const ReportedTest *test : llvm::ArrayRef(tests).take_front(kShown))
    ids.push_back(oneLine(idOf(test->test)));
  std::string text = fmt::format("{}", fmt::join(ids, ", "));
  return tests.size() > kShown ? fmt::format("{} and {} more", text, tests.size() - kShown) : text;
}

/// By its id, else its name, else the end of its id.
llvm::Expected<const ReportedTest *> findTest(const SelectionReport &report,
                                              const std::string &typed) {
  auto matching = [&](auto matches) {
    std::vector<const ReportedTest *> found;
    for (const ReportedTest &test : report.tests)
      if (matches(test.test))
        found.push_back(&test);
    return found;
  };
  std::vector<const ReportedTest *> found =
      matching([&](const RecordedTest &test) { return idOf(test) == typed; });
  if (found.empty())
    found = matching([&](const RecordedTest &test) { return nativeNameOf(test) == typed; });
  if (found.empty())
    found = matching([&](const RecordedTest &test) {
      return llvm::StringRef(idOf(test)).ends_with_insensitive(typed);
    });
  if (found.size() == 1)
    return found.front();
  if (!found.empty())
    return error(ErrorKind::Usage, "{}: several tests have this name: {}", typed, some(found));
  if (!report.knowsTests)
    return error("all tests are selected, because {}", report.reason);
  found = matching([&](const RecordedTest &test) {
    return llvm::StringRef(idOf(test)).contains_insensitive(typed) ||
           llvm::StringRef(test.name).edit_distance(typed, true, 3) <= 3;
  });
  return error(ErrorKind::Usage, "{}: no test of the last selection has this name{}", typed,
               found.empty() ? "" : "; did you mean " + some(found) + "?");
}

/// A path as the selection names it, and a line, or 0.
std::pair<std::string, std::uint32_t> parsePlace(const std::string &typed,
                                                 const ProjectPaths &paths) {
  auto [file, number] = llvm::StringRef(typed).rsplit(':');
  std::uint32_t line = 0;
  if (number.getAsInteger(10, line)) {
    file = typed;
    line = 0;
  }
  llvm::SmallString<256> path(file);
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::make_absolute(path))
    return {paths.nameOf(path), line};
  return {file.str(), line};
}

llvm::Expected<ExitCode> runExplain(const ExplainOptions &options, Context &context) {
  if (options.test.empty() == options.change.empty())
    return error(ErrorKind::Usage, "explain: name a test, or a change with --change FILE:LINE");
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  llvm::Expected<SelectionReport> report = loadSelection(*paths);
  if (!report)
    return report.takeError();
  context.info("selected at " + timeOfSelection(*paths));
  if (!report->reason.empty())
    context.info("all tests were selected, because " + report->reason);
  const ReportedTest *test = nullptr;
  if (!options.test.empty()) {
    llvm::Expected<const ReportedTest *> found = findTest(*report, options.test);
    if (!found)
      return found.takeError();
    test = *found;
  }
  std::optional<NearestFunction> nearest;
  if (test && test->verdict == Verdict::Skipped && test->near.empty()) {
    auto found = findNearest(*paths, *report, *test);
    if (found)
      nearest = std::move(*found);
    else
      context.info("what it comes nearest to is not known: " + llvm::toString(found.takeError()));
  }
  return writeResult(options.output, context, [&](llvm::raw_ostream &out) {
    ExplanationStyle style{out.colors_enabled(), context.options.isVerbose};
    if (test) {
      explainTest(out, *report, *test, nearest, style);
    } else {
      auto [path, line] = parsePlace(options.change, *paths);
      explainChange(out, *report, path, line, style);
    }
    return llvm::Error::success();
  });
}

} // namespace

void addExplainCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App *command =
      app.add_subcommand("explain", "Tell why the last selection has a test, or has not");
  command->add_option("test", options->test, "The test: its id, its name, or the end of its id")
      ->type_name("TEST");
  command->add_flag("--why-not", options->whyNot, "Of a skipped test: what it came near");
  command
      ->add_option("--change", options->change,
                   "The tests for which a change in this file, or on this line, speaks")
      ->type_name("FILE[:LINE]");
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  addPlaceOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runExplain(*options, context); };
  });
}

} // namespace retest
