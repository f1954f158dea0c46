#include "cli/baselines.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/tree.h"
#include "cli/who_query.h"
#include "report/graph_words.h"
#include "report/text_cells.h"
#include "support/error.h"

#include <llvm/Support/JSON.h>

#include <set>

namespace retest {

namespace {

struct WhoOptions {
  TreeOptions tree;
  std::string what; ///< a line or a function
  std::string base;
  std::string output;
  bool isJson = false;
};

struct WhoAnswer {
  BaselineInfo baseline;
  std::vector<std::string> functions;           ///< with their place; sorted
  std::vector<const RecordedTest *> tests;      ///< by id
  std::vector<const RecordedTest *> unmeasured; ///< by id
};

std::vector<std::string> describe(const WhoTarget &target, const Names &names) {
  std::set<std::string> functions;
  for (const WhoTarget::Part &part : target.parts) {
    const Function &function = part.function.function;
    std::string text = oneLine(names.text(function.name));
    if (function.where.begin.isKnown())
      text += fmt::format("  {}:{}", oneLine(names.text(function.where.begin.file)),
                          function.where.begin.line);
    functions.insert(std::move(text));
  }
  return {functions.begin(), functions.end()};
}

void sortById(std::vector<const RecordedTest *> &tests) {
  llvm::sort(tests, [](const RecordedTest *a, const RecordedTest *b) {
    return std::pair(idOf(*a), a) < std::pair(idOf(*b), b); // both are of one list
  });
}

llvm::Error addTests(WhoAnswer &answer, const std::vector<RecordedTest> &tests,
                     const std::vector<CoverageClassId> &classes, StoredCoverage &coverage) {
  auto sets = coverage.classes(classes);
  if (!sets)
    return sets.takeError();
  std::set<TestId> reached;
  for (const std::vector<TestId> &set : *sets)
    reached.insert(set.begin(), set.end());
  for (TestId test : reached)
    answer.tests.push_back(&tests[test.value]);
  for (const RecordedTest &test : tests)
    if (!test.unmeasured.empty())
      answer.unmeasured.push_back(&test);
  sortById(answer.tests);
  sortById(answer.unmeasured);
  return llvm::Error::success();
}

void writeJson(llvm::raw_ostream &out, const WhoOptions &options, const WhoAnswer &answer) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("query", utf8(options.what));
    json.attribute("baseline", utf8(answer.baseline.name));
    json.attributeArray("functions", [&] {
      for (const std::string &function : answer.functions)
        json.value(function);
    });
    json.attributeArray("tests", [&] {
      for (const RecordedTest *test : answer.tests)
        json.value(utf8(idOf(*test)));
    });
    json.attributeArray("unmeasured", [&] {
      for (const RecordedTest *test : answer.unmeasured)
        json.object([&] {
          json.attribute("test", utf8(idOf(*test)));
          json.attribute("reason", utf8(test->unmeasured));
        });
    });
  });
  out << "\n";
}

/// The header, and the tests that are no answer and no other: on standard error.
void tell(const WhoAnswer &answer, Context &context) {
  context.info(fmt::format(
      "{} of baseline {} reach{} {}{}",
      answer.tests.size() == 1 ? "1 test" : fmt::format("{} tests", answer.tests.size()),
      oneLine(answer.baseline.name), answer.tests.size() == 1 ? "es" : "", answer.functions.front(),
      answer.functions.size() > 1 ? fmt::format(" and {} more", answer.functions.size() - 1) : ""));
  if (answer.unmeasured.empty())
    return;
  context.info(fmt::format("not measured, always selected: {}", answer.unmeasured.size()));
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < answer.unmeasured.size(); ++i) {
    if (i == kShown && !context.options.isVerbose) {
      context.info(fmt::format("  and {} more; -v lists them", answer.unmeasured.size() - i));
      break;
    }
    const RecordedTest &test = *answer.unmeasured[i];
    context.info(fmt::format("  {}  {}", oneLine(idOf(test)), oneLine(test.unmeasured)));
  }
}

llvm::Expected<ExitCode> runWho(const WhoOptions &options, Context &context) {
  // Gather. Of the baseline only what the question is about.
  llvm::Expected<ProjectPaths> paths = locateProject(options.tree, context);
  if (!paths)
    return paths.takeError();
  llvm::Expected<Store> store = openStore(*paths);
  if (!store)
    return store.takeError();
  std::string name;
  if (!options.base.empty()) {
    llvm::Expected<std::string> found = findBaseline(*store, *paths, options.base);
    if (!found)
      return found.takeError();
    name = *found;
  }
  llvm::Expected<BaselineIndex> index = store->loadIndex(name);
  if (!index)
    return index.takeError();
  auto coverage = store->coverage(index->id);
  if (!coverage)
    return coverage.takeError();
  if (!*coverage)
    return error(ErrorKind::Usage,
                 "{}: this baseline is of the graph alone; 'retest record' runs the tests",
                 index->info.name);
  Names names;
  llvm::Expected<WhoTarget> target =
      findTarget(*store, *index, *paths, parseWhoQuery(options.what), names);
  if (!target)
    return target.takeError();
  auto classes = classesReaching(*target, **coverage);
  if (!classes)
    return classes.takeError();
  auto tests = (*coverage)->tests(TestParts::WithoutFiles);
  if (!tests)
    return tests.takeError();
  WhoAnswer answer{index->info, describe(*target, names), {}, {}};
  if (llvm::Error failed = addTests(answer, *tests, *classes, **coverage))
    return failed;

  // Tell.
  if (!options.isJson)
    tell(answer, context);
  return writeResult(options.output, context, [&](llvm::raw_ostream &out) {
    if (options.isJson)
      writeJson(out, options, answer);
    else
      for (const RecordedTest *test : answer.tests)
        out << oneLine(idOf(*test)) << "\n";
    return llvm::Error::success();
  });
}

} // namespace

void addWhoCommand(CLI::App &app, Context &context) {
  auto options = std::make_shared<WhoOptions>();
  CLI::App *command = app.add_subcommand("who", "Show the tests that reach a line or a function");
  command->add_option("what", options->what, "A line of a file, or a function")
      ->type_name("FILE:LINE|FUNCTION")
      ->required();
  command->add_option("--base", options->base, "Ask this baseline (default: the newest)")
      ->type_name("NAME|REF");
  command->add_flag("--json", options->isJson, "Write JSON");
  command->add_option("-o,--output", options->output, "Write to FILE")->type_name("FILE");
  addPlaceOptions(*command, options->tree);
  command->callback([options, &context] {
    context.action = [options, &context] { return runWho(*options, context); };
  });
}

} // namespace retest
