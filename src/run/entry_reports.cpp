#include "run/entry_reports.h"

#include "run/entry_filter.h"
#include "support/error.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ErrorHandling.h>

namespace retest {

namespace {

void addBoth(EntryReports &reports, const std::string &argument) {
  reports.asking.push_back(argument);
  reports.alone.push_back(argument);
}

bool hasConsole(llvm::StringRef reporters) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  reporters.split(names, ',');
  return llvm::any_of(names,
                      [](llvm::StringRef name) { return name.equals_insensitive("console"); });
}

/// The console comes along with other reporters: it tells how many tests ran.
EntryReports doctestReports(llvm::ArrayRef<std::string> arguments) {
  EntryReports reports;
  for (const std::string &argument : arguments) {
    auto [option, value] = doctestOption(argument);
    if (option == "o" || option == "out") {
      if (!value.empty())
        reports.files.push_back(value.str());
    } else if (option == "r" || option == "reporters") {
      bool isEnough = value.empty() || hasConsole(value);
      reports.alone.push_back(isEnough ? argument : argument + ",console");
    } else {
      addBoth(reports, argument);
    }
  }
  return reports;
}

/// Catch2 has one reporter for its output. `json::out=a.json` is version 3's.
EntryReports catch2Reports(llvm::ArrayRef<std::string> arguments) {
  EntryReports reports;
  unsigned reporters = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    auto [option, value] = argument.split(argument.contains('=') ? '=' : ':');
    bool isFile = option == "-o" || option == "--out";
    if (!isFile && option != "-r" && option != "--reporter") {
      addBoth(reports, arguments[i]);
      continue;
    }
    std::vector<std::string> words = {arguments[i]};
    if (option == argument && i + 1 < arguments.size()) {
      words.push_back(arguments[++i]);
      value = arguments[i];
    }
    if (isFile) {
      reports.files.push_back(value.str());
      continue;
    }
    llvm::append_range(reports.alone, words);
    if (++reporters > 1 ||
        !llvm::is_contained({"console", "compact", "xml", "junit"}, value.lower()))
      reports.problem = fmt::format("its reporter {} may not tell how many tests ran", value.str());
  }
  return reports;
}

EntryReports googleTestReports(llvm::ArrayRef<std::string> arguments) {
  EntryReports reports;
  for (const std::string &argument : arguments) {
    llvm::StringRef text = argument;
    if (!text.consume_front("--gtest_output=")) {
      addBoth(reports, argument);
      continue;
    }
    auto [format, path] = text.split(':');
    if (format.empty())
      continue; // none
    reports.alone.push_back(fmt::format("--gtest_output={}:/dev/null", format.str()));
    reports.files.push_back(path.empty() ? fmt::format("test_detail.{}", format.str())
                                         : path.str());
  }
  return reports;
}

/// What an option of Boost.Test says of reports.
enum class BoostOption { Other, Sink, Format, Loggers };

/// Names may be shortened.
BoostOption boostOption(llvm::StringRef option) {
  auto isShort = [&](llvm::StringRef name, llvm::StringRef least) {
    return option.starts_with(least) && name.starts_with(option);
  };
  if (isShort("--logger", "--logg"))
    return BoostOption::Loggers;
  if (option == "-f" || isShort("--log_format", "--log_f"))
    return BoostOption::Format;
  bool isSink = option == "-k" || option == "-e" || isShort("--log_sink", "--log_s") ||
                isShort("--report_sink", "--report_s") ||
                isShort("--detect_memory_leaks", "--detect_m");
  return isSink ? BoostOption::Sink : BoostOption::Other;
}

/// Of `--logger=JUNIT,all,a.xml:HRF` each part has a file, or none. JUNIT without one makes up the
/// name of its own.
void addBoostReport(EntryReports &reports, BoostOption option, llvm::StringRef value,
                    bool &isNamedByItself) {
  auto add = [&](llvm::StringRef file) {
    if (!file.empty() && file != "stdout" && file != "stderr")
      reports.files.push_back(file.str());
  };
  if (option == BoostOption::Sink)
    add(value);
  llvm::SmallVector<llvm::StringRef, 4> parts;
  if (option != BoostOption::Sink)
    value.split(parts, ':');
  for (llvm::StringRef part : parts) {
    llvm::SmallVector<llvm::StringRef, 4> fields;
    part.split(fields, ',');
    if (fields.size() > 2 && !fields[2].empty())
      add(fields[2]);
    else
      isNamedByItself |= fields[0].equals_insensitive("JUNIT");
  }
}

/// Its usual output is where the report goes, so each test writes that anew.
EntryReports boostTestReports(llvm::ArrayRef<std::string> arguments) {
  EntryReports reports;
  bool isNamedByItself = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--") { // what follows is not for the framework
      for (const std::string &argument : arguments.drop_front(i))
        addBoth(reports, argument);
      break;
    }
    auto [name, value] = llvm::StringRef(arguments[i]).split('=');
    BoostOption option = boostOption(name);
    if (option == BoostOption::Other) {
      addBoth(reports, arguments[i]);
      continue;
    }
    reports.alone.push_back(arguments[i]);
    if (name == arguments[i] && i + 1 < arguments.size()) {
      reports.alone.push_back(arguments[++i]);
      value = arguments[i];
    }
    addBoostReport(reports, option, value, isNamedByItself);
  }
  if (isNamedByItself)
    reports.problem = "it is not known what the file of its report is called";
  return reports;
}

} // namespace

EntryReports reportsOf(Framework framework, llvm::ArrayRef<std::string> arguments) {
  switch (framework) {
  case Framework::GoogleTest:
    return googleTestReports(arguments);
  case Framework::Doctest:
    return doctestReports(arguments);
  case Framework::Catch2:
    return catch2Reports(arguments);
  case Framework::BoostTest:
    return boostTestReports(arguments);
  }
  llvm_unreachable("each framework has its reports");
}

} // namespace retest
