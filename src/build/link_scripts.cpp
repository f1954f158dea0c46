#include "build/link_sources.h"
#include "build/paths.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/LineIterator.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

/// CMake lists the directories of all targets; without that list, the build tree is searched. The
/// list comes first because the directory of a target that is gone keeps its link.txt.
std::vector<std::string> linkScriptPaths(llvm::StringRef build) {
  std::vector<std::string> paths;
  if (auto list =
          llvm::MemoryBuffer::getFile(joinPath(build, "CMakeFiles/TargetDirectories.txt"))) {
    for (llvm::line_iterator line(**list); !line.is_at_end(); ++line)
      if (std::string path = joinPath(line->rtrim(), "link.txt"); llvm::sys::fs::exists(path))
        paths.push_back(path);
  } else {
    std::error_code failure;
    for (llvm::sys::fs::recursive_directory_iterator entry(build, failure, false), end;
         !failure && entry != end; entry.increment(failure))
      if (llvm::StringRef(entry->path()).ends_with(".dir/link.txt"))
        paths.push_back(entry->path());
  }
  llvm::sort(paths);
  return paths;
}

/// <directory>/CMakeFiles/<target>.dir/link.txt runs in <directory>.
llvm::StringRef directoryOf(llvm::StringRef script) {
  for (int i = 0; i < 3; ++i)
    script = llvm::sys::path::parent_path(script);
  return script;
}

/// The lines of a script as one; they run one after the other.
std::string asOneLine(const llvm::MemoryBuffer &script) {
  std::vector<std::string> lines;
  for (llvm::line_iterator line(script); !line.is_at_end(); ++line)
    lines.push_back(line->str());
  return llvm::join(lines, " && ");
}

} // namespace

void addLine(LinkLines &lines, LinkLine line) {
  llvm::append_range(lines.links, std::move(line.links));
  llvm::append_range(lines.aliases, std::move(line.aliases));
  llvm::append_range(lines.compilations, std::move(line.compilations));
  llvm::append_range(lines.unknown, std::move(line.unknown));
}

llvm::StringMap<std::string> linkScriptsByOutput(llvm::StringRef build,
                                                 const llvm::StringSet<> &drivers) {
  llvm::StringMap<std::string> scripts;
  for (const std::string &path : linkScriptPaths(build))
    if (auto script = llvm::MemoryBuffer::getFile(path))
      for (const LinkCommand &link :
           parseLinkLine(asOneLine(**script), directoryOf(path), drivers).links)
        scripts[withRealParent(link.output)] = path;
  return scripts;
}

std::optional<LinkLines> readLinkScripts(const ProjectPaths &paths,
                                         const llvm::StringSet<> &drivers) {
  std::vector<std::string> scripts = linkScriptPaths(paths.build);
  if (scripts.empty())
    return std::nullopt;
  LinkLines result;
  result.source = "link.txt";
  for (const std::string &path : scripts) {
    auto script = llvm::MemoryBuffer::getFile(path);
    if (!script) {
      result.notes.push_back(
          fmt::format("{}: cannot be read: {}", paths.nameOf(path), script.getError().message()));
      continue;
    }
    LinkLine line = parseLinkLine(asOneLine(**script), directoryOf(path), drivers);
    // Each line of a link script is meant to link, so one that is not understood is told.
    for (const auto &words : line.unknown)
      result.notes.push_back(fmt::format("{}: not understood as a link: {}", paths.nameOf(path),
                                         llvm::join(words, " ")));
    line.unknown.clear();
    addLine(result, std::move(line));
  }
  return result;
}

} // namespace retest
