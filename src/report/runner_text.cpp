#include "report/runner_text.h"

#include "report/selection_json.h"
#include "support/error.h"
#include "support/shell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace {

bool isFileFormat(Framework framework) {
  return framework == Framework::GoogleTest || framework == Framework::Catch2;
}

std::string namesOf(const std::vector<ProgramTests> &programs) {
  std::vector<std::string> names;
  for (const ProgramTests &program : programs)
    names.push_back(program.binary);
  return fmt::format("{}", fmt::join(names, ", "));
}

llvm::Expected<ProgramTests> chooseProgram(std::vector<ProgramTests> programs, Framework framework,
                                           const std::string &typed) {
  std::string word = wordFor(framework).str();
  llvm::erase_if(programs, [&](const ProgramTests &program) {
    return program.framework.value_or(framework) != framework;
  });
  if (programs.empty())
    return error(ErrorKind::Usage, "--format {}: no program has tests of this framework", word);
  std::vector<ProgramTests> chosen = programs;
  llvm::erase_if(chosen,
                 [&](const ProgramTests &each) { return !namesBinary(typed, each.binary); });
  if (chosen.size() == 1)
    return chosen.front();
  if (typed.empty())
    return error(ErrorKind::Usage, "--format {}: name the program with --binary, one of {}", word,
                 namesOf(programs));
  return error(ErrorKind::Usage, "--binary {}: {} with tests of this framework: {}", typed,
               chosen.empty() ? "there is no such program" : "several are programs",
               namesOf(chosen.empty() ? programs : chosen));
}

/// A text that is a whole line.
std::string wholeLine(const std::string &text, Framework framework) {
  return (isFileFormat(framework) ? text : shellQuoted(text)) + "\n";
}

std::string lineOf(const RunnerStart &start, Framework framework) {
  if (!isFileFormat(framework))
    return shellCommand(start.arguments.empty() ? std::vector{everythingText(framework)}
                                                : start.arguments);
  std::string file = llvm::StringRef(start.file).rtrim('\n').str();
  if (framework == Framework::Catch2 && !file.empty())
    return file;                                    // its arguments say only that there is one
  std::vector<std::string> lines = start.arguments; // a flag in each
  if (!file.empty())
    lines.push_back(file);
  return lines.empty() ? everythingText(framework) : fmt::format("{}", fmt::join(lines, "\n"));
}

/// What has commas between are alternatives: one line does for all starts. A program where some
/// tests run only if they are asked for has the tag for that.
std::string catch2Line(const std::vector<RunnerStart> &starts) {
  std::vector<std::string> parts;
  for (const RunnerStart &start : starts)
    parts.push_back(start.arguments.empty() ? "\"*\"~[.]" : lineOf(start, Framework::Catch2));
  return fmt::format("{}", fmt::join(parts, ","));
}

bool isBalanced(llvm::StringRef text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (depth < 0)
      return false;
  }
  return depth == 0;
}

/// `[=[text]=]`, with as many signs as it takes. A semicolon in an element has a backslash.
llvm::Expected<std::string> cmakeElement(const std::string &id) {
  if (!isBalanced(id) || llvm::StringRef(id).ends_with("\\"))
    return error("{}: cannot be an element of a list of CMake; use another format, such as json",
                 id);
  std::string text;
  for (char c : id) {
    if (c == ';')
      text += '\\';
    text += c;
  }
  std::string signs = "=";
  while (text.find("]" + signs + "]") != std::string::npos)
    signs += "=";
  // A line break right behind the bracket would be dropped.
  return "[" + signs + "[" + (text.starts_with("\n") ? "\n" : "") + text + "]" + signs + "]";
}

} // namespace

std::string idOf(const std::string &binary, const NativeTest &test) {
  RecordedTest recorded;
  recorded.binary = binary;
  recorded.name = test.name;
  return idOf(recorded);
}

std::string notListedYet(const std::string &binary) {
  return binary + " may have tests that only the built program can list; they do not run";
}

llvm::Expected<RunnerText> programText(const SelectionReport &report, Framework framework,
                                       FilterForm form, const std::string &binary) {
  if (!report.knowsTests) // what is not known cannot be left out
    return RunnerText{wholeLine(everythingText(framework), framework)};
  llvm::Expected<ProgramTests> program = chooseProgram(programsOf(report), framework, binary);
  if (!program)
    return program.takeError();
  llvm::Expected<ProgramFilter> filter = programFilter(*program, framework, form);
  if (!filter)
    return filter.takeError();
  if (framework == Framework::GoogleTest && filter->starts.size() > 1)
    return error("{}: what is selected takes {} starts of it, since some tests run only if they "
                 "are asked for; --format args has them all",
                 program->binary, filter->starts.size());
  RunnerText result;
  if (framework == Framework::Catch2 && filter->starts.size() > 1)
    result.text = catch2Line(filter->starts) + "\n";
  else
    for (const RunnerStart &start : filter->starts)
      result.text += lineOf(start, framework) + "\n";
  if (filter->starts.empty())
    result.text = wholeLine(nothingText(framework), framework);
  for (const NativeTest &test : filter->extra)
    result.extra.push_back(idOf(program->binary, test));
  llvm::sort(result.extra);
  if (form == FilterForm::Include && program->isOpen)
    result.notes.push_back(notListedYet(program->binary));
  return result;
}

llvm::Expected<RunnerText> cmakeText(const SelectionReport &report) {
  RunnerText result{fmt::format("set(RETEST_KIND \"{}\")\n", wordFor(report.kind).str())};
  auto add = [&](const char *variable, auto isMeant) -> llvm::Error {
    result.text += fmt::format("set({}", variable);
    for (const ReportedTest &test : report.tests) {
      if (!isMeant(test))
        continue;
      llvm::Expected<std::string> element = cmakeElement(idOf(test.test));
      if (!element)
        return element.takeError();
      result.text += "\n  " + *element;
    }
    result.text += ")\n";
    return llvm::Error::success();
  };
  if (llvm::Error failed = add("RETEST_SELECTED", isSelected))
    return failed;
  if (llvm::Error failed = add("RETEST_SKIPPED", [](const ReportedTest &test) {
        return test.verdict == Verdict::Skipped;
      }))
    return failed;
  return result;
}

} // namespace retest
