#include "run/filter_starts.h"

#include "run/name_pattern.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ErrorHandling.h>

#include <algorithm>

namespace retest {

namespace {

/// Linux takes 128 KiB for one argument, and for all with the environment a quarter of what a stack
/// may have, usually 2 MiB.
constexpr std::size_t kArgumentSize = 100 * 1024;

/// Options add up if doctest knows them by two names; of one that is repeated the last counts.
constexpr std::size_t kDoctestArguments = 2;
/// Of Boost.Test an option may be repeated: this is half of what Linux takes.
constexpr std::size_t kBoostTestArguments = 10;

/// A start that is given its filter as an argument if it is short, else in a file.
RunnerStart startWith(std::string filter, std::vector<std::string> arguments,
                      std::vector<std::string> fileArguments, std::string fileOption) {
  RunnerStart start;
  start.arguments = std::move(arguments);
  if (filter.size() <= kArgumentSize) {
    start.arguments.push_back(std::move(filter));
    return start;
  }
  llvm::append_range(start.arguments, fileArguments);
  start.file = std::move(filter) + "\n";
  start.fileOption = std::move(fileOption);
  return start;
}

/// The file is an option of GoogleTest itself: built with the flags of Abseil it does not know it,
/// and says so.
RunnerStart googleTestStart(const FilterTexts &names, const char *form, bool areDisabled) {
  std::vector<std::string> arguments;
  if (areDisabled)
    arguments.emplace_back("--gtest_also_run_disabled_tests");
  return startWith("--gtest_filter=" + (form + llvm::join(names, ":")), std::move(arguments), {},
                   "--gtest_flagfile=");
}

/// Names that are separated by commas are alternatives, others must all hold. The file has one
/// line, and it begins with a quote: Catch2 would put anything else in quotes.
RunnerStart catch2Start(std::string specification) {
  return startWith(std::move(specification), {}, {"-f"}, "");
}

/// To be matched wakes a hidden test, in version 2 also by what is excluded.
RunnerStart catch2Excluding(const FilterTexts &names, bool areSomeDisabled) {
  return catch2Start((areSomeDisabled ? "\"*\"~[.]~" : "\"*\"~") + llvm::join(names, "~"));
}

/// A name in a suite that a filter need not repeat.
struct Piece {
  llvm::StringRef suite, name;
};

std::vector<Piece> inNoSuite(const FilterTexts &names) {
  std::vector<Piece> pieces;
  for (const std::string &name : names)
    pieces.push_back({"", name});
  return pieces;
}

/// Of Boost.Test the name is a path.
std::vector<Piece> inSuites(const FilterTexts &names) {
  std::vector<Piece> pieces;
  for (llvm::StringRef name : names) {
    std::size_t end = name.rfind('/') + 1; // 0: there is none
    pieces.push_back({name.take_front(end), name.drop_front(end)});
  }
  return pieces;
}

/// Some names in one argument.
struct PackedNames {
  std::string text;
  std::size_t count = 0;
};

/// `outer/a,b:outer/inner/c:d` of Boost.Test: what has commas between is in one suite, and what the
/// form puts in front of a name is put there once for these. In no suites: `a,b,c`.
std::vector<PackedNames> packed(const std::vector<Piece> &pieces, llvm::StringRef form) {
  std::vector<PackedNames> result;
  llvm::StringRef suite;
  for (const Piece &piece : pieces) {
    std::string first = (form + piece.suite + piece.name).str();
    std::string next = piece.suite == suite ? ("," + piece.name).str() : ":" + first;
    bool fits = !result.empty() && result.back().text.size() + next.size() <= kArgumentSize;
    if (!fits)
      result.emplace_back();
    result.back().text += fits ? next : first;
    ++result.back().count;
    suite = piece.suite;
  }
  return result;
}

/// Starts with so many arguments each.
std::vector<RunnerStart> spread(const std::vector<PackedNames> &names, std::size_t most,
                                const std::vector<std::string> &options,
                                const std::vector<std::string> &others) {
  std::vector<RunnerStart> starts;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i % most == 0)
      starts.push_back({others});
    starts.back().arguments.push_back(options[i % most % options.size()] + names[i].text);
  }
  return starts;
}

/// What fits into one start.
ExcludingStart oneOf(std::vector<PackedNames> names, std::size_t most,
                     const std::vector<std::string> &options,
                     const std::vector<std::string> &others) {
  names.resize(std::min(names.size(), most));
  ExcludingStart result{{others}};
  for (const PackedNames &each : names)
    result.written += each.count;
  if (!names.empty())
    result.start = spread(names, most, options, others).front();
  return result;
}

std::vector<std::string> doctestOptions(llvm::StringRef name, llvm::StringRef shortName) {
  return {("--dt-" + name + "=").str(), ("--dt-" + shortName + "=").str()};
}

std::vector<std::string> doctestOthers(const std::optional<std::string> &suite) {
  std::vector<std::string> others = {"--dt-case-sensitive=true"};
  if (suite)
    others.push_back(doctestArgument("test-suite", *suite));
  return others;
}

std::vector<RunnerStart> doctestIncluding(const FilterTexts &names, bool areDisabled,
                                          const std::optional<std::string> &suite) {
  std::vector<std::string> others = doctestOthers(suite);
  if (areDisabled)
    others.emplace_back("--dt-no-skip=true");
  FilterTexts named = names;
  llvm::erase_if(named, [](const std::string &name) { return name.empty(); });
  std::vector<RunnerStart> starts = spread(packed(inNoSuite(named), ""), kDoctestArguments,
                                           doctestOptions("test-case", "tc"), others);
  if (named.size() < names.size()) { // a list cannot hold the empty name
    others.push_back(doctestArgument("test-case", ""));
    starts.push_back({others});
  }
  return starts;
}

} // namespace

std::vector<RunnerStart> startsIncluding(Framework framework, const FilterTexts &names,
                                         bool areDisabled, std::optional<std::string> suite) {
  switch (framework) {
  case Framework::GoogleTest:
    return {googleTestStart(names, "", areDisabled)};
  case Framework::Catch2:
    return {catch2Start(llvm::join(names, ","))};
  case Framework::Doctest:
    return doctestIncluding(names, areDisabled, suite);
  case Framework::BoostTest:
    return spread(packed(inSuites(names), ""), kBoostTestArguments, {"--run_test="}, {});
  }
  llvm_unreachable("each framework has its filter");
}

ExcludingStart startExcluding(Framework framework, const FilterTexts &names, bool areSomeDisabled,
                              std::optional<std::string> suite) {
  switch (framework) {
  case Framework::GoogleTest:
    return {googleTestStart(names, "-", false), names.size()};
  case Framework::Catch2:
    return {catch2Excluding(names, areSomeDisabled), names.size()};
  case Framework::Doctest:
    return oneOf(packed(inNoSuite(names), ""), kDoctestArguments,
                 doctestOptions("test-case-exclude", "tce"), doctestOthers(suite));
  case Framework::BoostTest:
    return oneOf(packed(inSuites(names), "!"), kBoostTestArguments, {"--run_test="}, {});
  }
  llvm_unreachable("each framework has its filter");
}

ExcludingStart startExcludingSuites(const FilterTexts &suites, bool excludesNone) {
  std::vector<std::string> others = doctestOthers(std::nullopt);
  if (excludesNone)
    others.emplace_back("--dt-test-suite=?*");
  return oneOf(packed(inNoSuite(suites), ""), kDoctestArguments,
               doctestOptions("test-suite-exclude", "tse"), others);
}

} // namespace retest
