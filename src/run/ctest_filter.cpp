#include "run/ctest_filter.h"

#include "run/name_pattern.h"
#include "support/error.h"
#include "support/process.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetOperations.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>

#include <cassert>
#include <set>
#include <utility>

namespace retest {

namespace {

constexpr CTestVersion kNamesInFiles = {3, 29};
constexpr const char *kSpecial = "][.*+?^$()|\\";

/// A regular expression that matches some names and nothing else.
///
/// CMake compiles it to less than 65,535 bytes, or says so and goes on without: with `-R` nothing
/// runs, with `-E` everything does. A name takes 3 bytes there, each run of usual letters 4 and one
/// for each of them, a letter behind a backslash 5: 1724 names of 23 letters are the most, or
/// (measured too) 3448 like `aa.b`, with a text of only 20 KiB. Half of it leaves CMake some room.
class NameExpression {
public:
  /// Whether there was room.
  bool add(llvm::StringRef name) {
    std::string text = escaped(name, kSpecial);
    std::size_t size = compiledSize(name);
    if (name.empty() || text_.size() + text.size() > kTextSize ||
        compiledSize_ + size > kCompiledSize)
      return false;
    text_ += (text_.empty() ? "" : "|") + text;
    compiledSize_ += size;
    return true;
  }

  std::string str() const { return "^(" + text_ + ")$"; }

private:
  static constexpr std::size_t kTextSize = 24 * 1024, kCompiledSize = 32 * 1000;

  static std::size_t compiledSize(llvm::StringRef name) {
    std::size_t size = 3;
    bool isUsual = false;
    for (char c : name) {
      bool wasUsual = std::exchange(isUsual, !llvm::StringRef(kSpecial).contains(c));
      size += isUsual && wasUsual ? 1 : 5;
    }
    return size;
  }

  std::string text_;
  std::size_t compiledSize_ = 0;
};

/// Whether a line of a file can be the name: first releases took some for comments.
bool canBeLine(llvm::StringRef name) {
  return !name.empty() && !name.starts_with("#") && name.trim() == name &&
         name.find_first_of("\r\n") == llvm::StringRef::npos;
}

/// Which entries run, and the start that makes them run.
class Planner {
public:
  Planner(llvm::ArrayRef<SuiteEntry> entries, CTestVersion version)
      : entries_(entries), version_(version), runs_(entries.size()) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].isDisabled)
        continue;
      byName_[entries[i].name].push_back(i);
      for (const auto *fixtures : {&entries[i].fixturesSetup, &entries[i].fixturesCleanup})
        for (const std::string &fixture : *fixtures)
          byFixture_[fixture].push_back(i);
    }
  }

  /// Makes an entry run, with all that it needs.
  void add(std::size_t entry) {
    std::vector<std::size_t> pending = {entry};
    while (!pending.empty()) {
      std::size_t next = pending.back();
      pending.pop_back();
      if (entries_[next].isDisabled || runs_[next])
        continue;
      runs_[next] = true;
      for (const std::string &name : entries_[next].depends)
        llvm::append_range(pending, byName_.lookup(name));
      for (const std::string &fixture : entries_[next].fixturesRequired)
        llvm::append_range(pending, byFixture_.lookup(fixture));
    }
  }

  bool runs(std::size_t entry) const { return runs_[entry]; }

  std::vector<RunnerStart> included() const {
    std::vector<std::size_t> chosen = entriesThat(true), others = entriesThat(false);
    if (chosen.empty())
      return {};
    if (others.empty())
      return {start({})};
    std::set<std::string> names = namesOf(chosen);
    bool areNames =
        llvm::none_of(others, [&](std::size_t i) { return names.count(entries_[i].name) != 0; });
    NameExpression expression;
    if (areNames &&
        llvm::all_of(names, [&](const std::string &name) { return expression.add(name); }))
      return {start({"-R", expression.str()})};
    if (areNames && version_ >= kNamesInFiles && llvm::all_of(names, canBeLine))
      return {start({"--tests-from-file"}, llvm::join(names, "\n") + "\n")};
    // The range at the beginning is empty. Without a line's end the last number would be lost.
    std::string numbers = "0,0,0";
    for (std::size_t i : chosen)
      numbers += "," + std::to_string(i + 1);
    return {start({"-I"}, numbers + "\n")};
  }

  /// What cannot be excluded runs, and so does what it needs, which must not be excluded then.
  std::vector<RunnerStart> excluded() {
    for (;;) {
      std::set<std::string> names = namesOf(entriesThat(false)),
                            running = namesOf(entriesThat(true));
      llvm::set_subtract(names, running);
      RunnerStart start = without(names);
      bool isDone = true;
      for (std::size_t i : entriesThat(false)) {
        if (names.count(entries_[i].name) != 0)
          continue;
        add(i);
        isDone = false;
      }
      start.mayRunNothing = entriesThat(true).empty();
      if (isDone)
        return {start};
    }
  }

private:
  static RunnerStart start(std::vector<std::string> arguments, std::string file = "") {
    arguments.insert(arguments.begin(), "--no-tests=error");
    return {std::move(arguments), std::move(file)};
  }

  /// Of those that are not disabled.
  std::vector<std::size_t> entriesThat(bool run) const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (!entries_[i].isDisabled && runs_[i] == run)
        result.push_back(i);
    return result;
  }

  std::set<std::string> namesOf(const std::vector<std::size_t> &entries) const {
    std::set<std::string> names;
    for (std::size_t i : entries)
      names.insert(entries_[i].name);
    return names;
  }

  /// Leaves in `names` what the start excludes.
  RunnerStart without(std::set<std::string> &names) const {
    NameExpression expression;
    std::set<std::string> written;
    for (const std::string &name : names)
      if (expression.add(name))
        written.insert(name);
    bool isFile = written != names && version_ >= kNamesInFiles;
    if (isFile)
      std::erase_if(names, [](const std::string &name) { return !canBeLine(name); });
    else
      names = written;
    if (names.empty())
      return start({});
    if (isFile)
      return start({"--exclude-from-file"}, llvm::join(names, "\n") + "\n");
    return start({"-E", expression.str()});
  }

  llvm::ArrayRef<SuiteEntry> entries_;
  CTestVersion version_;
  std::vector<bool> runs_;
  llvm::StringMap<std::vector<std::size_t>> byName_, byFixture_; ///< setups and cleanups
};

bool goesByNumber(const SuiteFilter &filter) {
  return !filter.starts.empty() && llvm::is_contained(filter.starts.front().arguments, "-I");
}

/// Halves the names as often as it takes.
std::vector<SuiteFilter> filtersFor(llvm::ArrayRef<SuiteEntry> entries,
                                    llvm::ArrayRef<std::string> names, CTestVersion version) {
  std::set<std::string> chosen(names.begin(), names.end());
  std::vector<bool> isWanted;
  for (const SuiteEntry &entry : entries)
    isWanted.push_back(chosen.count(entry.name) != 0);
  SuiteFilter filter = ctestFilter(entries, isWanted, FilterForm::Include, version);
  if (!goesByNumber(filter) || names.size() < 2)
    return {filter};
  std::size_t half = names.size() / 2;
  std::vector<SuiteFilter> filters = filtersFor(entries, names.take_front(half), version);
  llvm::append_range(filters, filtersFor(entries, names.drop_front(half), version));
  return filters;
}

} // namespace

std::optional<CTestVersion> parseCTestVersion(llvm::StringRef answer) {
  CTestVersion version;
  if (!answer.consume_front("ctest version ") || answer.consumeInteger(10, version.major) ||
      !answer.consume_front(".") || answer.consumeInteger(10, version.minor))
    return std::nullopt;
  return version;
}

llvm::Expected<CTestVersion> readCTestVersion() {
  auto result = runProcess({.arguments = {"ctest", "--version"}});
  if (!result)
    return result.takeError();
  if (auto version = parseCTestVersion(result->output); version && result->succeeded())
    return *version;
  return error("ctest --version: not an answer: {}", result->output);
}

SuiteFilter ctestFilter(llvm::ArrayRef<SuiteEntry> entries, const std::vector<bool> &isWanted,
                        FilterForm form, CTestVersion version) {
  assert(entries.size() == isWanted.size() && "each entry is wanted or not");
  Planner planner(entries, version);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (isWanted[i])
      planner.add(i);
  SuiteFilter filter;
  filter.starts = form == FilterForm::Include ? planner.included() : planner.excluded();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (planner.runs(i) && !isWanted[i])
      filter.extra.push_back(i);
    if (isWanted[i] && entries[i].isDisabled)
      filter.asleep.push_back(i);
  }
  filter.isExact = filter.extra.empty();
  return filter;
}

std::vector<SuiteFilter> ctestFiltersByName(llvm::ArrayRef<SuiteEntry> entries,
                                            const std::vector<bool> &isWanted,
                                            CTestVersion version) {
  assert(entries.size() == isWanted.size() && "each entry is wanted or not");
  std::set<std::string> names;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (isWanted[i] && !entries[i].isDisabled)
      names.insert(entries[i].name);
  std::vector<SuiteFilter> filters =
      filtersFor(entries, std::vector<std::string>(names.begin(), names.end()), version);
  for (SuiteFilter &filter : filters) { // as the caller sees it
    llvm::erase_if(filter.extra, [&](std::size_t i) { return isWanted[i]; });
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (!isWanted[i] && !entries[i].isDisabled && names.count(entries[i].name) != 0 &&
          !llvm::is_contained(filter.extra, i))
        filter.extra.push_back(i);
    llvm::sort(filter.extra);
    filter.isExact = filter.extra.empty();
  }
  return filters;
}

} // namespace retest
