#include "run/entry_filter.h"

#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/ErrorHandling.h>

namespace retest {

std::pair<llvm::StringRef, llvm::StringRef> doctestOption(llvm::StringRef argument) {
  if (!argument.consume_front("-"))
    return {};
  argument.consume_front("-");
  argument.consume_front("dt-");
  return argument.split('=');
}

namespace {

void refuse(EntryFilter &filter, llvm::StringRef argument) {
  filter.problem = fmt::format("its argument {} may choose tests", argument.str());
}

/// `text` without backslashes before `special`; nothing if one of `wild` stands without.
std::optional<std::string> unescaped(llvm::StringRef text, llvm::StringRef special,
                                     llvm::StringRef wild) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && special.contains(text[i + 1]))
      result += text[++i];
    else if (wild.contains(text[i]))
      return std::nullopt;
    else
      result += text[i];
  }
  return result;
}

EntryFilter googleTestFilter(llvm::ArrayRef<std::string> arguments) {
  EntryFilter filter;
  for (llvm::StringRef argument : arguments) {
    llvm::StringRef text = argument;
    if (text.consume_front("--gtest_filter=")) {
      filter.hasFilter = true;
      filter.name = text.find_first_of(":-*?") == llvm::StringRef::npos ? std::optional(text.str())
                                                                        : std::nullopt;
      continue;
    }
    for (llvm::StringRef taboo : {"--gtest_list_tests", "--gtest_flagfile", "--flagfile",
                                  "--gtest_filter", "--gtest_total_shards", "--help"})
      if (text.starts_with(taboo))
        refuse(filter, argument);
    if (text.starts_with("--gtest_also_run_disabled_tests"))
      filter.runsDisabled = !text.ends_with("=0") && !text.ends_with("=false");
    filter.others.push_back(argument.str());
  }
  return filter;
}

EntryFilter doctestFilter(llvm::ArrayRef<std::string> arguments) {
  static const llvm::StringSet<> filters = {
      "tc",  "test-case", "tce", "test-case-exclude",  "ts",          "test-suite",
      "tse", "sf",        "sfe", "test-suite-exclude", "source-file", "source-file-exclude"};
  static const llvm::StringSet<> taboo = {"ltc",     "list-test-cases",
                                          "lts",     "list-test-suites",
                                          "lr",      "list-reporters",
                                          "h",       "help",
                                          "?",       "v",
                                          "version", "c",
                                          "count",   "nr",
                                          "no-run",  "f",
                                          "first",   "l",
                                          "last"};
  auto isOn = [](llvm::StringRef value) {
    return value.empty() || value == "true" || value == "1" || value == "yes" || value == "on";
  };
  EntryFilter filter;
  unsigned filterCount = 0;
  for (llvm::StringRef argument : arguments) {
    auto [option, value] = doctestOption(argument);
    if (filters.contains(option)) {
      filter.hasFilter = true;
      ++filterCount;
      filter.name =
          option == "tc" || option == "test-case" ? unescaped(value, ",\\", ",*?") : std::nullopt;
      continue;
    }
    if (taboo.contains(option))
      refuse(filter, argument);
    if (option == "ns" || option == "no-skip")
      filter.runsDisabled = isOn(value);
    if (option == "cs" || option == "case-sensitive")
      filter.isCaseSensitive = isOn(value);
    filter.others.push_back(argument.str());
  }
  if (filterCount > 1 || (filter.name && filter.name->empty()))
    filter.name = std::nullopt;
  return filter;
}

/// A specification that is just a name; tags, wildcards and lists are not.
std::optional<std::string> catch2Name(llvm::StringRef text) {
  text = text.trim();
  if (text.empty() || text.starts_with("~") || text.starts_with("exclude:"))
    return std::nullopt;
  return unescaped(text, "\\,[]\"~*", ",[]\"*");
}

EntryFilter catch2Filter(llvm::ArrayRef<std::string> arguments) {
  static const llvm::StringSet<> withValue = {"-r",
                                              "--reporter",
                                              "-o",
                                              "--out",
                                              "-n",
                                              "--name",
                                              "-x",
                                              "--abortx",
                                              "-w",
                                              "--warn",
                                              "-d",
                                              "--durations",
                                              "-D",
                                              "--min-duration",
                                              "-v",
                                              "--verbosity",
                                              "--order",
                                              "--rng-seed",
                                              "--use-colour",
                                              "--colour-mode",
                                              "--benchmark-samples",
                                              "--benchmark-resamples",
                                              "--benchmark-confidence-interval",
                                              "--benchmark-warmup-time",
                                              "--wait-for-keypress"};
  static const llvm::StringSet<> flags = {"-s",
                                          "--success",
                                          "-b",
                                          "--break",
                                          "-e",
                                          "--nothrow",
                                          "-i",
                                          "--invisibles",
                                          "-a",
                                          "--abort",
                                          "-#",
                                          "--filenames-as-tags",
                                          "--benchmark-no-analysis",
                                          "--skip-benchmarks",
                                          "--allow-running-no-tests"};
  EntryFilter filter;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    auto [option, value] = argument.split(argument.contains('=') ? '=' : ':');
    if (argument.empty()) { // CMake's own script leaves such
      filter.others.emplace_back();
      continue;
    }
    if (!argument.starts_with("-") || argument.size() == 1) {
      filter.name = filter.hasFilter ? std::nullopt : catch2Name(argument);
      filter.hasFilter = true;
      continue;
    }
    if (!withValue.contains(option) && !flags.contains(argument))
      refuse(filter, argument);
    filter.others.push_back(argument.str());
    if (withValue.contains(argument) && i + 1 < arguments.size())
      filter.others.push_back(arguments[++i]);
  }
  return filter;
}

EntryFilter boostTestFilter(llvm::ArrayRef<std::string> arguments) {
  EntryFilter filter;
  auto choose = [&](llvm::StringRef text) {
    filter.name = filter.hasFilter || text.find_first_of("*,:!+@") != llvm::StringRef::npos
                      ? std::nullopt
                      : std::optional(text.trim('/').str());
    filter.hasFilter = true;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i], text = argument;
    if (argument == "--") { // what follows is not for the framework
      llvm::append_range(filter.others, arguments.drop_front(i));
      break;
    }
    if (text.consume_front("--run_test=") || text.consume_front("-t=")) {
      choose(text);
      continue;
    }
    if ((argument == "--run_test" || argument == "-t") && i + 1 < arguments.size()) {
      choose(arguments[++i]);
      continue;
    }
    for (llvm::StringRef taboo : {"--run", "-t", "--list", "--help", "-h", "--usage", "-?",
                                  "--version", "-v", "--build_info", "-i"})
      if (argument.starts_with(taboo))
        refuse(filter, argument);
    filter.others.push_back(argument.str());
  }
  // Its list does not say what a filter chooses, so only names are understood.
  if (filter.hasFilter && (!filter.name || filter.name->empty()))
    refuse(filter, "--run_test");
  return filter;
}

} // namespace

EntryFilter entryFilterOf(Framework framework, llvm::ArrayRef<std::string> arguments) {
  switch (framework) {
  case Framework::GoogleTest:
    return googleTestFilter(arguments);
  case Framework::Doctest:
    return doctestFilter(arguments);
  case Framework::Catch2:
    return catch2Filter(arguments);
  case Framework::BoostTest:
    return boostTestFilter(arguments);
  }
  llvm_unreachable("each framework has its filters");
}

bool wakesDisabled(Framework framework, llvm::StringRef argument) {
  llvm::StringRef option = doctestOption(argument).first;
  return framework == Framework::Doctest
             ? option == "ns" || option == "no-skip"
             : framework == Framework::GoogleTest &&
                   argument.starts_with("--gtest_also_run_disabled_tests");
}

bool isNamed(Framework framework, const EntryFilter &filter, const NativeTest &test) {
  llvm::StringRef name = test.name, wanted = *filter.name;
  switch (framework) {
  case Framework::GoogleTest:
    return name == wanted;
  case Framework::Doctest:
    return filter.isCaseSensitive ? name == wanted : name.equals_insensitive(wanted);
  case Framework::Catch2:
    return name.trim().equals_insensitive(wanted.trim());
  case Framework::BoostTest:
    return name == wanted || (name.consume_front(wanted) && name.starts_with("/"));
  }
  llvm_unreachable("each framework has its names");
}

} // namespace retest
