#include "run/suite_worker.h"

#include "run/end_strays.h"
#include "run/preload_library.h"
#include "run/run_program.h"
#include "run/suite_directory.h"
#include "run/test_output.h"
#include "run/tests_run.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <cerrno>
#include <cstring>
#include <tuple>

namespace retest {

namespace {

/// Servers that a worker keeps. Tests are sorted by program, so one is in use, and more than one
/// only where entries set different environments.
constexpr std::size_t kMostServers = 4;
/// How often a program is started anew because a test changed what it had read. More is dearer than
/// starting all its tests.
constexpr unsigned kMostFileChanges = 5;

/// A script that does not name its interpreter is the shell's, for CTest and for `env` as well.
std::vector<std::string> withShell(std::vector<std::string> arguments) {
  auto file = llvm::MemoryBuffer::getFileSlice(arguments.front(), 2, 0);
  if (file && (*file)->getBuffer() != "\x7f\x45" && (*file)->getBuffer() != "#!")
    arguments.insert(arguments.begin(), "/bin/sh");
  return arguments;
}

} // namespace

llvm::Expected<EntryEnvironment> testEnvironment(const SuiteEntry &entry) {
  auto environment = environmentOf(entry);
  if (!environment)
    return environment;
  auto isSet = [&](const std::string &name) {
    return llvm::any_of(environment->set, [&](const auto &each) { return each.first == name; });
  };
  for (const std::string &name : selectionVariables())
    if (!isSet(name))
      environment->removed.push_back(name);
  if (!isSet("CTEST_INTERACTIVE_DEBUG_MODE")) // as CTest has it
    environment->set.emplace_back("CTEST_INTERACTIVE_DEBUG_MODE", "1");
  return environment;
}

/// A test while it runs.
struct SuiteWorker::Run {
  Run(const Suite &suite, std::size_t test, std::unique_ptr<RunDirectory> directory)
      : test(suite.tests[test]), entry(suite.entries[this->test.entry]),
        rules(suite.rules[this->test.entry]), options(suite.options),
        directory(std::move(directory)), activity(suite.strays.activity()),
        isOneStream(rules.readsOutput() || entry.timeoutAfterMatch),
        output(*this->directory / "out", options.outputLimit),
        errors(*this->directory / (isOneStream ? "out" : "err"), options.outputLimit) {
    watch.look = [this](std::optional<RunWatch::TimePoint> &deadline) { return look(deadline); };
    if (entry.timeoutAfterMatch)
      for (const std::string &text : entry.timeoutAfterMatch->expressions) {
        if (auto expression = CMakeExpression::compile(text))
          awaited.push_back(std::move(*expression));
        else
          llvm::consumeError(expression.takeError()); // CTest finds it nowhere
      }
  }

  bool look(std::optional<RunWatch::TimePoint> &deadline) {
    isCancelled = options.isCancelled && options.isCancelled->load();
    wasDiskFull |= isDiskFull(options.directory);
    writesTooMuch = !output.keepSmall() || (!isOneStream && !errors.keepSmall());
    if (!awaited.empty()) {
      std::string text = outputForExpressions(output.read());
      if (llvm::any_of(awaited, [&](const auto &each) { return each.isFoundIn(text); })) {
        deadline = std::chrono::steady_clock::now() + entry.timeoutAfterMatch->timeout;
        awaited.clear();
      }
    }
    return isCancelled || writesTooMuch;
  }

  const FoundTest &test;
  const SuiteEntry &entry;
  const OutcomeRules &rules;
  const SuiteOptions &options;
  std::unique_ptr<RunDirectory> directory;
  const unsigned activity; ///< of strays, when it began
  bool isOneStream;        ///< CTest searches both streams as they come
  TestOutput output, errors;
  RunWatch watch;
  std::vector<CMakeExpression> awaited; ///< of TIMEOUT_AFTER_MATCH
  bool isCancelled = false, writesTooMuch = false, wasDiskFull = false, wasForked = false;
};

std::string SuiteWorker::hindrance(std::size_t test) const {
  const SuiteEntry &entry = entryOf(test);
  const std::vector<std::string> &arguments = suite_.tests[test].arguments;
  if (arguments.empty())
    return "its program is not there: CTest does not find it";
  for (const std::string &name : entry.requiredFiles) {
    llvm::SmallString<256> path(name);
    llvm::sys::fs::make_absolute(entry.directory, path);
    if (!llvm::sys::fs::exists(path))
      return fmt::format("{}: a file that it needs is missing", name);
  }
  if (!llvm::sys::fs::can_execute(arguments.front()))
    return fmt::format("{}: no such program that can be run", arguments.front());
  if (!entry.directory.empty() && !llvm::sys::fs::is_directory(entry.directory))
    return fmt::format("{}: no such directory to run in", entry.directory);
  return "";
}

TestOutcome SuiteWorker::judge(const Run &run, const RunEnd &end) const {
  TestOutcome outcome;
  outcome.end = end;
  outcome.wasForked = run.wasForked;
  outcome.output = run.output.read();
  std::string errors = run.isOneStream ? std::string() : run.errors.read();
  outcome.status = statusOf(run.rules, end, outcome.output);
  std::string lost = run.directory->lostCounters();
  if (lost.empty() && (run.wasDiskFull || isDiskFull(run.options.directory)))
    lost = std::strerror(ENOSPC); // what it wrote may have failed, which changes what it does
  if (!lost.empty()) {
    if (outcome.status != TestStatus::Passed)
      outcome.status = TestStatus::NotRun; // that was our fault, not the test's
    outcome.unmeasured = fmt::format("its counters or output could not be kept: {}", lost);
  } else if (end.wasEnded) {
    outcome.status = TestStatus::Failed;
    outcome.unmeasured =
        run.writesTooMuch ? "it wrote more than can be kept, and was ended" : "it was ended";
  } else if (end.timedOut) {
    outcome.unmeasured = "it did not end in time";
  } else if (end.signal != 0) {
    outcome.unmeasured = fmt::format("it was ended by signal {}, {}", end.signal,
                                     llvm::StringRef(strsignal(end.signal)).lower());
  } else if (run.test.framework) {
    std::optional<unsigned> count = testsRun(*run.test.framework, outcome.output, errors);
    if (!count)
      outcome.unmeasured = "its framework does not say how many tests ran";
    else if (*count == 0 || (*count > 1 && run.test.isFilterExact))
      outcome.unmeasured = fmt::format("{} tests ran instead of one", *count);
  }
  outcome.output += errors;
  return outcome;
}

RanTest SuiteWorker::finished(std::unique_ptr<Run> run, llvm::Expected<RunEnd> end) const {
  RanTest ran;
  if (!end) {
    ran.outcome.unmeasured = llvm::toString(end.takeError());
    return ran;
  }
  ran.isBesideStray = suite_.strays.activity() != run->activity; // before its own are added
  run->directory->close(end->group);
  ran.wasCancelled = run->isCancelled;
  ran.outcome = judge(*run, *end);
  if (ran.isBesideStray && ran.outcome.unmeasured.empty())
    ran.outcome.unmeasured =
        "a process that an earlier test left behind may have been at work for it";
  ran.directory = std::move(run->directory);
  return ran;
}

RanTest SuiteWorker::runAlone(std::size_t test) {
  RanTest ran;
  auto environment = testEnvironment(entryOf(test));
  if (!environment) {
    ran.outcome.unmeasured = llvm::toString(environment.takeError());
    return ran;
  }
  auto directory = makeDirectory();
  if (!directory) {
    ran.outcome.unmeasured = llvm::toString(directory.takeError());
    return ran;
  }
  auto run = std::make_unique<Run>(suite_, test, std::move(*directory));
  for (bool isAgain = false;; isAgain = true) {
    ForkServer *keeper = keeperFor(run->test.arguments.front());
    llvm::Expected<RunEnd> end = startProgram(*run, *environment, keeper);
    if (end || !keeper)
      return finished(std::move(run), std::move(end));
    pid_t group = keeper->lastGroup();
    keeper_.reset();
    llvm::consumeError(end.takeError());
    if (group != 0)
      return endedParent(*run, group);
    hasNoKeeper_ = isAgain; // the first time an earlier test may have ended it
    if (suite_.options.isCancelled && suite_.options.isCancelled->load()) {
      ran.wasCancelled = true;
      return ran;
    }
  }
}

llvm::Expected<RunEnd> SuiteWorker::startProgram(Run &run, EntryEnvironment environment,
                                                 ForkServer *keeper) {
  if (!keeper) {
    ProgramRun program;
    program.arguments = withShell(run.test.arguments);
    program.directory = run.entry.directory;
    program.environment = std::move(environment.set);
    program.removed = std::move(environment.removed);
    program.outputFile = run.output.path();
    program.errorFile = run.errors.path();
    program.counterDirectory = run.directory->counters();
    program.timeout = run.entry.timeout;
    program.watch = &run.watch;
    program.watched = suite_.options.watched;
    suite_.onSent();
    return runProgram(program);
  }
  ServerRun request = requestFor(run);
  request.arguments = {"env"};
  for (const std::string &name : environment.removed)
    request.arguments.push_back("--unset=" + name);
  addPreload(request.counterDirectory, environment.set);
  for (const auto &[name, value] : environment.set)
    request.arguments.push_back(name + "=" + value);
  llvm::append_range(request.arguments, run.test.arguments);
  return keeper->run(request);
}

/// `env` does what is needed: kept at its `main`, each child of it becomes a program.
ForkServer *SuiteWorker::keeperFor(const std::string &program) {
  if (hasNoKeeper_ || llvm::StringRef(program).contains('='))
    return nullptr;
  if (keeper_)
    return &*keeper_;
  hasNoKeeper_ = true; // until it is seen
  auto directory = RunDirectory::make(suite_.options.directory);
  if (!directory) {
    llvm::consumeError(directory.takeError());
    return nullptr;
  }
  ServerCommand command;
  command.arguments = {"/usr/bin/env"};
  command.counterDirectory = (*directory)->counters();
  command.watched = suite_.options.watched;
  llvm::Expected<ForkServer> keeper = ForkServer::start(command);
  if (!keeper) {
    llvm::consumeError(keeper.takeError());
    return nullptr;
  }
  hasNoKeeper_ = false;
  keeperDirectory_ = std::move(*directory);
  return &keeper_.emplace(std::move(*keeper));
}

llvm::Expected<RanTest> SuiteWorker::runForked(std::size_t test) {
  auto environment = testEnvironment(entryOf(test));
  if (!environment)
    return environment.takeError();
  for (bool isAgain = false;; isAgain = true) {
    llvm::Expected<Server *> server = serverFor(test, *environment);
    if (!server)
      return server.takeError();
    auto directory = makeDirectory();
    if (!directory)
      return directory.takeError();
    auto run = std::make_unique<Run>(suite_, test, std::move(*directory));
    run->wasForked = true;
    ServerRun request = requestFor(*run);
    request.directory.clear(); // the server is there
    llvm::Expected<RunEnd> end = (*server)->server.run(request);
    if (end) {
      if (end->files && (*server)->server.filesBeforeMain())
        end->files->add(*(*server)->server.filesBeforeMain());
      return finished(std::move(run), std::move(end));
    }
    pid_t group = (*server)->server.lastGroup();
    servers_.pop_front();
    // If it had not begun, an earlier test may have ended the server, or the child that waited for
    // it.
    if (group == 0 && isAgain)
      return end.takeError();
    llvm::consumeError(end.takeError());
    if (group != 0)
      return endedParent(*run, group);
  }
}

llvm::Expected<std::unique_ptr<RunDirectory>> SuiteWorker::makeDirectory() {
  if (spare_)
    return std::move(spare_);
  return RunDirectory::make(suite_.options.directory, &suite_.strays);
}

ServerRun SuiteWorker::requestFor(const Run &run) {
  ServerRun request;
  request.arguments = run.test.arguments;
  request.directory = run.entry.directory;
  request.outputFile = run.output.path();
  request.errorFile = run.errors.path();
  request.counterDirectory = run.directory->counters();
  request.timeout = run.entry.timeout;
  request.watch = &run.watch;
  request.onSent = [this] {
    suite_.onSent();
    if (spare_)
      return;
    if (auto made = RunDirectory::make(suite_.options.directory, &suite_.strays))
      spare_ = std::move(*made);
    else
      llvm::consumeError(made.takeError()); // who needs it will see
  };
  return request;
}

RanTest SuiteWorker::endedParent(const Run &run, pid_t group) const {
  run.directory->close(group);
  RanTest ran;
  ran.endedParent = true;
  ran.wasCancelled = suite_.options.isCancelled && suite_.options.isCancelled->load();
  ran.outcome.status = TestStatus::Crashed;
  ran.outcome.wasForked = run.wasForked;
  ran.outcome.output = run.output.read();
  ran.outcome.unmeasured = "the process that started it is gone: it may have ended its parent";
  return ran;
}

llvm::Expected<SuiteWorker::Server *> SuiteWorker::serverFor(std::size_t test,
                                                             const EntryEnvironment &environment) {
  const FoundTest &found = suite_.tests[test];
  const std::string &place = entryOf(test).directory;
  ServerKey key{found.program, environment.set, environment.removed, place};
  llvm::sys::fs::UniqueID placeNow{};
  if (!place.empty() && llvm::sys::fs::getUniqueID(place, placeNow))
    placeNow = {}; // it is gone
  auto known = llvm::find_if(servers_, [&](const Server &each) { return each.key == key; });
  if (known != servers_.end()) {
    bool areFilesSame = known->server.areFilesSame();
    if (!areFilesSame && ++fileChanges_[found.program] > kMostFileChanges)
      return error("its tests change files that it uses before main");
    if (!areFilesSame || known->place != placeNow) {
      servers_.erase(known);
      known = servers_.end();
    }
  }
  if (known != servers_.end()) {
    servers_.splice(servers_.begin(), servers_, known);
    return &servers_.front();
  }
  auto directory = RunDirectory::make(suite_.options.directory, &suite_.strays);
  if (!directory)
    return directory.takeError();
  // Tests would find daemons that it has started before main.
  auto endAll = llvm::make_scope_exit([&] { endStrays((*directory)->path()); });
  ServerCommand command;
  // If the program cannot be kept, it runs this test, and not all of them.
  command.arguments = found.arguments;
  command.directory = place;
  command.environment = environment.set;
  command.removed = environment.removed;
  command.counterDirectory = (*directory)->counters();
  RunWatch watch{[this](std::optional<RunWatch::TimePoint> &) {
    return suite_.options.isCancelled && suite_.options.isCancelled->load();
  }};
  command.watch = &watch;
  command.watched = suite_.options.watched;
  llvm::Expected<ForkServer> server = ForkServer::start(command);
  if (!server)
    return server.takeError();
  if (!server->objection().empty())
    return error("{}", server->objection());
  if (std::string lost = (*directory)->lostCounters(); !lost.empty())
    return error("what it counts before main could not be kept: {}", lost);
  if (suite_.onBeforeMain)
    suite_.onBeforeMain(found.program, server->process(), command.counterDirectory);
  endAll.release();
  if (servers_.size() == kMostServers)
    servers_.pop_back();
  servers_.push_front({std::move(key), std::move(*directory), std::move(*server), placeNow});
  return &servers_.front();
}

} // namespace retest
