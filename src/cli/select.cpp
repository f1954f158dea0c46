#include "cli/commands.h"
#include "cli/make_selection.h"
#include "cli/output.h"
#include "cli/runner_formats.h"
#include "report/selection_json.h"
#include "report/selection_text.h"
#include "report/text_cells.h"
#include "support/error.h"

#include <llvm/ADT/ScopeExit.h>
#include <llvm/Support/FileSystem.h>

#include <tuple>
#include <unistd.h>

namespace retest {

namespace {

enum class SelectFormat {
  Auto,
  Text,
  List,
  Zeros,
  Json,
  GoogleTest,
  Catch2,
  Doctest,
  BoostTest,
  CTest,
  Meson,
  Bazel,
  Commands,
  CMakeTargets,
  CMakeLists,
  NinjaTargets,
};

struct SelectOptions {
  SelectionOptions selection;
  SelectFormat format = SelectFormat::Auto;
  RunnerOptions runner;
  std::string binary;
  std::string output;
  bool hasDetailedExitCode = false;
};

std::optional<Framework> frameworkOf(SelectFormat format) {
  switch (format) {
  case SelectFormat::GoogleTest:
    return Framework::GoogleTest;
  case SelectFormat::Catch2:
    return Framework::Catch2;
  case SelectFormat::Doctest:
    return Framework::Doctest;
  case SelectFormat::BoostTest:
    return Framework::BoostTest;
  default:
    return std::nullopt;
  }
}

bool hasForms(SelectFormat format) {
  return frameworkOf(format) || format == SelectFormat::CTest || format == SelectFormat::Bazel ||
         format == SelectFormat::Commands;
}

/// For a runner or a build tool; nothing: the format is for people and scripts.
llvm::Expected<std::optional<RunnerText>> runnerText(const SelectionReport &report,
                                                     SelectFormat format, SelectionBasis &basis,
                                                     const SelectOptions &options,
                                                     const Context &context) {
  if (std::optional<Framework> framework = frameworkOf(format))
    return programText(report, *framework, options.runner.form, options.binary);
  switch (format) {
  case SelectFormat::CMakeLists:
    return cmakeText(report);
  case SelectFormat::CMakeTargets:
    return targetsText(report, basis, TargetNames::CMake);
  case SelectFormat::NinjaTargets:
    return targetsText(report, basis, TargetNames::Ninja);
  case SelectFormat::Bazel:
    return bazelText(report, basis);
  case SelectFormat::CTest:
  case SelectFormat::Meson:
  case SelectFormat::Commands:
    break;
  default:
    return std::nullopt;
  }
  Context quiet = context; // it was told already which build directory that is
  quiet.options.isQuiet = true;
  llvm::Expected<ProjectPaths> paths = locateProject(options.selection.tree, quiet);
  if (!paths)
    return paths.takeError();
  if (format == SelectFormat::CTest)
    return ctestText(report, *paths, options.runner);
  if (format == SelectFormat::Meson)
    return mesonText(report, *paths);
  return commandsText(report, *paths, options.runner);
}

/// What a filter cannot say exactly is not kept secret.
void tell(const RunnerText &text, Context &context) {
  const std::size_t shown = context.options.isVerbose ? text.extra.size() : 10;
  for (const std::string &note : text.notes)
    context.warning(note);
  if (text.extra.empty())
    return;
  std::string names;
  for (const std::string &id : llvm::ArrayRef(text.extra).take_front(shown))
    names += (names.empty() ? "" : ", ") + oneLine(id);
  if (text.extra.size() > shown)
    names += fmt::format(" and {} more", text.extra.size() - shown);
  context.info(fmt::format("not selected, but with this filter they run too: {}", names));
}

void write(llvm::raw_ostream &out, const SelectionReport &report, SelectFormat format) {
  if (format == SelectFormat::List)
    writeSelectionList(out, report);
  else if (format == SelectFormat::Zeros)
    writeSelectionZeros(out, report);
  else if (format == SelectFormat::Json)
    writeSelectionJson(out, report);
  else
    writeSelectionText(out, report, {out.colors_enabled(), terminalWidth(STDOUT_FILENO)});
}

/// A list of tests can only be had from a baseline that knows them. To build or run everything is
/// another matter.
llvm::Error checkWritable(const SelectionReport &report, SelectFormat format, FilterForm form) {
  bool isOpen = format == SelectFormat::CMakeTargets || format == SelectFormat::NinjaTargets ||
                format == SelectFormat::Meson || format == SelectFormat::Bazel ||
                (hasForms(format) && form == FilterForm::Exclude);
  if (report.knowsTests || isOpen || format == SelectFormat::Json || format == SelectFormat::Text)
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
  if (!options.binary.empty() && !frameworkOf(format))
    return error(ErrorKind::Usage, "--binary {}: only formats of frameworks are for one program",
                 options.binary);
  auto kept = std::make_shared<SelectionBasis>();
  SelectionBasis &basis = *kept;
  context.leftovers.push_back(std::move(kept));
  auto closeStore = llvm::make_scope_exit([&basis] {
    basis.coverage.reset();
    basis.store.reset();
    basis.tree.reset(); // and its parse cache
  });
  llvm::Expected<SelectionReport> report = makeSelection(options.selection, context, &basis);
  if (!report)
    return report.takeError();
  context.info(selectionSummary(*report));
  if (llvm::Error impossible = checkWritable(*report, format, options.runner.form))
    return impossible;
  llvm::Expected<std::optional<RunnerText>> text =
      runnerText(*report, format, basis, options, context);
  if (!text)
    return text.takeError();
  if (*text)
    tell(**text, context);
  llvm::Expected<ExitCode> written =
      writeResult(options.output, context, [&](llvm::raw_ostream &out) {
        if (*text)
          out << (*text)->text;
        else
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
                           {"json", SelectFormat::Json},
                           {"gtest", SelectFormat::GoogleTest},
                           {"catch2", SelectFormat::Catch2},
                           {"doctest", SelectFormat::Doctest},
                           {"boost", SelectFormat::BoostTest},
                           {"ctest", SelectFormat::CTest},
                           {"meson", SelectFormat::Meson},
                           {"bazel", SelectFormat::Bazel},
                           {"args", SelectFormat::Commands},
                           {"build-targets", SelectFormat::CMakeTargets},
                           {"cmake", SelectFormat::CMakeLists},
                           {"ninja", SelectFormat::NinjaTargets}},
                          "The form of the result");
  command
      ->add_flag_callback(
          "-0", [options] { options->format = SelectFormat::Zeros; },
          "The same as --format list0, for xargs -0")
      ->excludes("--format");
  addChoice<FilterForm>(*command, "--form", options->runner.form,
                        {{"include", FilterForm::Include}, {"exclude", FilterForm::Exclude}},
                        "A filter of a runner names what runs, or (as usual) what does not");
  command
      ->add_option("--binary", options->binary,
                   "Formats of frameworks: the program, where several use it")
      ->type_name("NAME");
  command
      ->add_option("--output-dir", options->runner.directory,
                   "For files that a filter needs (default: in the build directory)")
      ->type_name("DIR");
  addChoice<Granularity>(*command, "--granularity", options->selection.granularity,
                         {{"edges", Granularity::Edges},
                          {"functions", Granularity::Functions},
                          {"files", Granularity::Files}},
                         "What counts as dangerous as a whole");
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  command->add_flag("--detailed-exit-code", options->hasDetailedExitCode,
                    "Exit 10 if all tests are selected, 11 if because it could not be told");
  command->add_flag("--strict", options->selection.isStrict,
                    "A store that cannot be used is an error (6), and not a reason for all tests");
  addTreeOptions(*command, options->selection.tree);
  command->callback([options, &context] {
    context.action = [options, &context] {
      llvm::Expected<ExitCode> result = runSelect(*options, context);
      // A filter that is left from another time would be taken for today's.
      if (!result && llvm::sys::fs::is_regular_file(options->output))
        std::ignore = llvm::sys::fs::remove(options->output);
      return result;
    };
  });
}

} // namespace retest
