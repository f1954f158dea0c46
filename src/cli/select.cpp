#include "cli/commands.h"
#include "cli/make_selection.h"
#include "cli/output.h"
#include "report/selection_json.h"
#include "report/selection_text.h"
#include "support/error.h"

#include <unistd.h>

namespace retest {

namespace {

enum class SelectFormat { Auto, Text, List, Zeros, Json };

struct SelectOptions {
  SelectionOptions selection;
  SelectFormat format = SelectFormat::Auto;
  std::string output;
  bool hasDetailedExitCode = false;
};

void write(llvm::raw_ostream &out, const SelectionReport &report, SelectFormat format) {
  switch (format) {
  case SelectFormat::Auto:
  case SelectFormat::Text:
    writeSelectionText(out, report, {out.colors_enabled(), terminalWidth(STDOUT_FILENO)});
    break;
  case SelectFormat::List:
    writeSelectionList(out, report);
    break;
  case SelectFormat::Zeros:
    writeSelectionZeros(out, report);
    break;
  case SelectFormat::Json:
    writeSelectionJson(out, report);
    break;
  }
}

/// A list of tests can only be had from a baseline that knows them.
llvm::Error checkWritable(const SelectionReport &report, SelectFormat format) {
  if (report.knowsTests || format == SelectFormat::Json || format == SelectFormat::Text)
    return llvm::Error::success();
  return error("all tests are to be run, because {}; without a baseline they cannot be listed "
               "(--format json says so)",
               report.reason);
}

ExitCode exitCodeOf(const SelectionReport &report, const SelectOptions &options) {
  if (!options.hasDetailedExitCode || report.kind != SelectionKind::All)
    return ExitCode::Success;
  return report.reason.empty() ? ExitCode::AllOnPurpose : ExitCode::AllByFallback;
}

llvm::Expected<ExitCode> runSelect(const SelectOptions &options, Context &context) {
  SelectFormat format = options.format;
  if (format == SelectFormat::Auto) {
    bool isShown = options.output.empty() && &context.out == &llvm::outs() && isatty(STDOUT_FILENO);
    format = isShown ? SelectFormat::Text : SelectFormat::List;
  }
  llvm::Expected<SelectionReport> report = makeSelection(options.selection, context);
  if (!report)
    return report.takeError();
  context.info(selectionSummary(*report));
  if (llvm::Error impossible = checkWritable(*report, format))
    return impossible;
  llvm::Expected<ExitCode> written =
      writeResult(options.output, context, [&](llvm::raw_ostream &out) {
        write(out, *report, format);
        return llvm::Error::success();
      });
  if (!written)
    return written;
  return exitCodeOf(*report, options);
}

} // namespace

void addSelectCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<SelectOptions>();
  CLI::App *command =
      app.add_subcommand("select", "Tell which tests the tree as it is asks for, and why");
  command
      ->add_option("--base", options->selection.base,
                   "The baseline, or a commit (default: the newest in the history of HEAD)")
      ->type_name("NAME|REF");
  addChoice<SelectFormat>(*command, "-f,--format", options->format,
                          {{"auto", SelectFormat::Auto},
                           {"text", SelectFormat::Text},
                           {"list", SelectFormat::List},
                           {"list0", SelectFormat::Zeros},
                           {"json", SelectFormat::Json}},
                          "The form of the result");
  addChoice<Granularity>(*command, "--granularity", options->selection.granularity,
                         {{"edges", Granularity::Edges},
                          {"functions", Granularity::Functions},
                          {"files", Granularity::Files}},
                         "What counts as dangerous as a whole");
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  command->add_flag("--detailed-exit-code", options->hasDetailedExitCode,
                    "Exit 10 if all tests are selected, 11 if because it could not be told");
  addTreeOptions(*command, options->selection.tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runSelect(*options, context); };
  });
}

} // namespace retest
