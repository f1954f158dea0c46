#include "build/test_discovery.h"

#include "build/build_tool_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

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
  });
  llvm::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace retest
