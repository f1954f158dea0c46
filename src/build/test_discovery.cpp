#include "build/test_discovery.h"

#include "build/build_tool_files.h"
#include "build/paths.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

/// The value of `-D NAME=value` or `-D "NAME=value"` in a line of shell.
std::string definitionIn(llvm::StringRef command, const std::string &name) {
  std::size_t at = command.find(name + "=");
  if (at == llvm::StringRef::npos || at == 0)
    return "";
  char end = command[at - 1] == '"' ? '"' : ' ';
  return command.substr(at + name.size() + 1).take_until([&](char c) { return c == end; }).str();
}

std::string replaced(llvm::StringRef text, llvm::StringRef from, llvm::StringRef to) {
  std::string result;
  while (true) {
    auto [before, after] = text.split(from);
    result += before;
    if (before.size() == text.size())
      return result;
    result += to;
    text = after;
  }
}

/// The script in "cmake ... -P script"; empty if there is none.
std::string scriptIn(llvm::StringRef command) {
  llvm::StringRef script = command.split(" -P ").second.ltrim();
  char end = script.consume_front("\"") ? '"' : ' ';
  return script.take_until([&](char c) { return c == end; }).str();
}

/// The text in the quotes of a line like `include("x")`; empty if it is none.
llvm::StringRef quotedAfter(llvm::StringRef line, llvm::StringRef word) {
  line = line.trim();
  if (!line.consume_front(word) || !line.consume_front("(\""))
    return "";
  return line.split('"').first;
}

/// Whether a module of CMake wrote the script for a target: "t_include.cmake",
/// "t[1]_include.cmake", "t_include-b12d07c.cmake".
bool isWrittenByModule(llvm::StringRef path, llvm::StringRef build) {
  auto [name, rest] = llvm::sys::path::filename(path).rsplit("_include");
  return isWithin(path, build) && !name.empty() &&
         (rest == ".cmake" || (rest.starts_with("-") && rest.ends_with(".cmake")));
}

/// The scripts that CTest reads for the directory and those below, but for what CMake's modules
/// write: that follows from their commands.
void addTestScripts(const std::string &directory, const std::string &build,
                    std::vector<std::string> &scripts) {
  auto file = llvm::MemoryBuffer::getFile(joinPath(directory, "CTestTestfile.cmake"));
  if (!file)
    return;
  for (llvm::StringRef text = (*file)->getBuffer(); !text.empty();) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (llvm::StringRef below = quotedAfter(line, "subdirs"); !below.empty())
      addTestScripts(absolutePath(directory, below), build, scripts);
    llvm::StringRef script = quotedAfter(line, "include");
    if (script.empty())
      continue;
    std::string path = absolutePath(directory, script);
    if (!isWrittenByModule(path, build))
      scripts.push_back(path);
  }
}

} // namespace

std::vector<TestDiscovery> testDiscoveries(const ProjectPaths &paths) {
  std::vector<TestDiscovery> found;
  forEachBuildLine(paths.build, [&](llvm::StringRef line) {
    if (!line.contains("AddTests.cmake"))
      return;
    std::string program = definitionIn(line, "TEST_EXECUTABLE");
    if (program.empty())
      return;
    std::string command = replaced(line.trim(), paths.build, "<build>");
    found.push_back({paths.nameOf(program), definitionIn(line, "TEST_TARGET"),
                     replaced(command, paths.root, "<root>")});
    if (std::string script = scriptIn(line); !script.empty())
      found.back().scripts.push_back(absolutePath(paths.build, script));
  });
  if (found.empty())
    return found;
  std::vector<std::string> scripts;
  addTestScripts(paths.build, paths.build, scripts);
  for (TestDiscovery &discovery : found) {
    llvm::append_range(discovery.scripts, scripts);
    llvm::sort(discovery.scripts);
  }
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace retest
