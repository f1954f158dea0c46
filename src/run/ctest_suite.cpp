#include "run/ctest_suite.h"

#include "support/error.h"
#include "support/process.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace retest {

namespace {

using Milliseconds = std::chrono::milliseconds;
using Value = llvm::json::Value;

std::vector<std::string> strings(const Value &value) {
  std::vector<std::string> result;
  if (const llvm::json::Array *array = value.getAsArray())
    for (const Value &each : *array)
      result.push_back(each.getAsString().value_or("").str());
  return result;
}

/// Seconds of CTest; 0 says "for ever", as does what is beyond a year.
std::optional<Milliseconds> timeLimit(double seconds) {
  constexpr double kYear = 366.0 * 24 * 3600;
  if (!(seconds > 0) || seconds > kYear)
    return std::nullopt;
  return Milliseconds(std::max<long long>(1, std::llround(seconds * 1000)));
}

TimeoutAfterMatch timeoutAfterMatch(const Value &value) {
  TimeoutAfterMatch result;
  if (const llvm::json::Object *object = value.getAsObject()) {
    result.timeout =
        timeLimit(object->getNumber("timeout").value_or(0)).value_or(Milliseconds::zero());
    if (const Value *expressions = object->get("regex"))
      result.expressions = strings(*expressions);
  }
  return result;
}

using Reader = std::function<void(SuiteEntry &, const Value &)>;

Reader list(std::vector<std::string> SuiteEntry::*field) {
  return [field](SuiteEntry &entry, const Value &value) { entry.*field = strings(value); };
}

Reader claim(bool SuiteEntry::*field) {
  return [field](SuiteEntry &entry, const Value &value) {
    entry.*field = value.getAsBoolean().value_or(false);
  };
}

/// Each property that CTest tells of, and what becomes of it. What has no effect on a run or its
/// outcome is read by `ignored`.
const std::map<std::string, Reader, std::less<>> &readers() {
  static const Reader ignored = [](SuiteEntry &, const Value &) {};
  static const std::map<std::string, Reader, std::less<>> all = {
      {"ENVIRONMENT", list(&SuiteEntry::environment)},
      {"ENVIRONMENT_MODIFICATION", list(&SuiteEntry::environmentModifications)},
      {"PASS_REGULAR_EXPRESSION", list(&SuiteEntry::passExpressions)},
      {"FAIL_REGULAR_EXPRESSION", list(&SuiteEntry::failExpressions)},
      {"SKIP_REGULAR_EXPRESSION", list(&SuiteEntry::skipExpressions)},
      {"REQUIRED_FILES", list(&SuiteEntry::requiredFiles)},
      {"RESOURCE_LOCK", list(&SuiteEntry::resourceLocks)},
      {"DEPENDS", list(&SuiteEntry::depends)},
      {"FIXTURES_REQUIRED", list(&SuiteEntry::fixturesRequired)},
      {"FIXTURES_SETUP", list(&SuiteEntry::fixturesSetup)},
      {"FIXTURES_CLEANUP", list(&SuiteEntry::fixturesCleanup)},
      {"LABELS", list(&SuiteEntry::labels)},
      {"WILL_FAIL", claim(&SuiteEntry::willFail)},
      {"DISABLED", claim(&SuiteEntry::isDisabled)},
      {"RUN_SERIAL", claim(&SuiteEntry::runsAlone)},
      {"WORKING_DIRECTORY",
       [](SuiteEntry &entry, const Value &value) {
         entry.directory = value.getAsString().value_or("").str();
       }},
      {"TIMEOUT",
       [](SuiteEntry &entry, const Value &value) {
         entry.timeout = timeLimit(value.getAsNumber().value_or(0));
       }},
      {"TIMEOUT_AFTER_MATCH",
       [](SuiteEntry &entry, const Value &value) {
         entry.timeoutAfterMatch = timeoutAfterMatch(value);
       }},
      {"SKIP_RETURN_CODE",
       [](SuiteEntry &entry, const Value &value) {
         if (auto code = value.getAsInteger(); code && *code >= 0)
           entry.skipReturnCode = static_cast<int>(*code);
       }},
      {"PROCESSORS",
       [](SuiteEntry &entry, const Value &value) {
         entry.processors = static_cast<unsigned>(
             std::clamp<std::int64_t>(value.getAsInteger().value_or(1), 1, 1 << 20));
       }},
      {"COST", ignored},
      {"MEASUREMENT", ignored},
      {"ATTACHED_FILES", ignored},
      {"ATTACHED_FILES_ON_FAIL", ignored},
  };
  return all;
}

void readProperties(const llvm::json::Array &properties, SuiteEntry &entry) {
  for (const Value &each : properties) {
    const llvm::json::Object *property = each.getAsObject();
    const Value *value = property ? property->get("value") : nullptr;
    if (!value)
      continue;
    std::string name = property->getString("name").value_or("").str();
    auto reader = readers().find(name);
    if (reader != readers().end())
      reader->second(entry, *value);
    else
      entry.unknownProperties.push_back(name);
  }
  llvm::sort(entry.unknownProperties);
}

/// What `include(CTest)` leaves: `TimeOut: 1500`.
std::optional<Milliseconds> usualTimeoutIn(const std::string &buildDirectory) {
  auto file = llvm::MemoryBuffer::getFile(buildDirectory + "/DartConfiguration.tcl");
  if (!file)
    return std::nullopt;
  for (llvm::StringRef rest = (*file)->getBuffer(); !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    double seconds = 0;
    if (line.consume_front("TimeOut:") && !line.trim().getAsDouble(seconds))
      return timeLimit(seconds);
  }
  return std::nullopt;
}

} // namespace

llvm::Expected<std::vector<SuiteEntry>> parseCTestSuite(llvm::StringRef json,
                                                        std::optional<Milliseconds> usualTimeout) {
  // CTest may say something before its answer.
  auto answer =
      llvm::json::parse(llvm::json::fixUTF8(json.substr(std::min(json.find('{'), json.size()))));
  if (!answer)
    return error("CTest does not list its tests: {}", llvm::toString(answer.takeError()));
  const llvm::json::Object *root = answer->getAsObject();
  const llvm::json::Array *tests = root ? root->getArray("tests") : nullptr;
  if (!tests || root->getString("kind") != llvm::StringRef("ctestInfo"))
    return error("CTest does not list its tests: its answer has no tests");
  std::vector<SuiteEntry> entries;
  for (const Value &each : *tests) {
    const llvm::json::Object *test = each.getAsObject();
    if (!test || !test->getString("name"))
      return error("CTest lists a test without a name");
    SuiteEntry entry{test->getString("name")->str()};
    entry.timeout = usualTimeout;
    if (const Value *command = test->get("command"))
      entry.command = strings(*command);
    if (const llvm::json::Array *properties = test->getArray("properties"))
      readProperties(*properties, entry);
    entries.push_back(std::move(entry));
  }
  return entries;
}

llvm::Expected<std::vector<SuiteEntry>> readCTestSuite(const std::string &buildDirectory,
                                                       const std::string &configuration) {
  ProcessCommand command{.arguments = {"ctest", "--show-only=json-v1"},
                         .directory = buildDirectory,
                         .timeout = std::chrono::minutes(5)};
  if (!configuration.empty())
    command.arguments.insert(command.arguments.end(), {"-C", configuration});
  auto result = runProcess(command);
  if (!result)
    return result.takeError();
  if (!result->succeeded())
    return error("{}: ctest does not list its tests: {}", buildDirectory,
                 result->timedOut ? "it did not end within 5 minutes"
                                  : llvm::StringRef(result->errors).trim().take_front(500).str());
  auto entries = parseCTestSuite(result->output, usualTimeoutIn(buildDirectory));
  if (!entries)
    return error("{}: {}", buildDirectory, llvm::toString(entries.takeError()));
  return entries;
}

std::vector<SuiteEntry> entriesFor(const std::vector<std::string> &programs) {
  std::vector<SuiteEntry> entries;
  for (const std::string &program : programs) {
    SuiteEntry entry{llvm::sys::path::filename(program).str()};
    entry.command = {program};
    entry.directory = llvm::sys::path::parent_path(program).str();
    entries.push_back(std::move(entry));
  }
  return entries;
}

namespace {

/// Whether what follows a directory in a text still belongs to the name of a file.
bool goesOn(llvm::StringRef rest) {
  return !rest.empty() &&
         (llvm::isAlnum(rest.front()) || llvm::StringRef("._-+~@%").contains(rest.front()));
}

/// In /a/x, `--in=/a/x/data` is `--in=<root>/data`; /a/x2 is another directory.
std::string withNames(std::string text, llvm::ArrayRef<NamedDirectory> directories) {
  for (const NamedDirectory &directory : directories)
    for (std::size_t at = 0; (at = text.find(directory.path, at)) != std::string::npos;) {
      std::size_t end = at + directory.path.size();
      if (goesOn(llvm::StringRef(text).substr(end))) {
        at = end;
        continue;
      }
      text.replace(at, directory.path.size(), directory.name);
      at += directory.name.size();
    }
  return text;
}

} // namespace

Fingerprint settingsOf(const SuiteEntry &entry, llvm::ArrayRef<NamedDirectory> directories) {
  FingerprintBuilder builder;
  auto addAll = [&](const std::vector<std::string> &texts) {
    builder.add(texts.size());
    for (const std::string &text : texts)
      builder.add(withNames(text, directories));
  };
  auto addTime = [&](const std::optional<Milliseconds> &time) {
    builder.add(time ? static_cast<std::uint64_t>(time->count()) + 1 : 0);
  };
  for (const auto *texts :
       {&entry.command, &entry.environment, &entry.environmentModifications, &entry.passExpressions,
        &entry.failExpressions, &entry.skipExpressions, &entry.requiredFiles, &entry.resourceLocks,
        &entry.depends, &entry.fixturesRequired, &entry.fixturesSetup, &entry.fixturesCleanup,
        &entry.unknownProperties})
    addAll(*texts);
  builder.add(withNames(entry.directory, directories));
  addTime(entry.timeout);
  addTime(entry.timeoutAfterMatch ? std::optional(entry.timeoutAfterMatch->timeout) : std::nullopt);
  addAll(entry.timeoutAfterMatch ? entry.timeoutAfterMatch->expressions
                                 : std::vector<std::string>());
  builder.add(entry.willFail).add(entry.isDisabled).add(entry.runsAlone).add(entry.processors);
  builder.add(entry.skipReturnCode ? static_cast<std::uint64_t>(*entry.skipReturnCode) + 1 : 0);
  if (entry.errorReturnCode || entry.mayCrashToFail) // entries of CTest have neither
    builder.add(static_cast<std::uint64_t>(entry.errorReturnCode.value_or(0)))
        .add(entry.mayCrashToFail);
  return builder.finish();
}

SuiteSettings::SuiteSettings(llvm::ArrayRef<SuiteEntry> entries,
                             llvm::ArrayRef<NamedDirectory> directories) {
  std::map<std::string, std::set<std::string>> setups; // by fixture
  llvm::StringSet<> names;
  for (const SuiteEntry &entry : entries) {
    names.insert(entry.name);
    for (const std::string &fixture : entry.fixturesSetup)
      setups[fixture].insert(entry.name);
  }
  // Who sets something up for it decides how it runs as well.
  auto withOthers = [&](const SuiteEntry &entry) {
    FingerprintBuilder all;
    all.add(settingsOf(entry, directories));
    for (const std::string &fixture : entry.fixturesRequired)
      for (const std::string &setup : setups[fixture])
        all.add(llvm::StringRef(setup));
    for (const std::string &needed : entry.depends)
      all.add(llvm::StringRef(names.contains(needed) ? needed : ""));
    return all.finish();
  };
  for (const SuiteEntry &entry : entries) {
    Fingerprint settings = entry.fixturesRequired.empty() && entry.depends.empty()
                               ? settingsOf(entry, directories)
                               : withOthers(entry);
    auto [known, isNew] = entries_.try_emplace(entry.name, settings);
    if (!isNew)
      known->second = FingerprintBuilder().add(known->second).add(settings).finish();
  }
}

std::optional<Fingerprint> SuiteSettings::of(llvm::ArrayRef<std::string> names) const {
  FingerprintBuilder all;
  for (const std::string &name : names) {
    auto known = entries_.find(name);
    if (known == entries_.end())
      return std::nullopt;
    all.add(known->second);
  }
  return all.finish();
}

} // namespace retest
