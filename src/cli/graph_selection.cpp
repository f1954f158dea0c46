#include "cli/graph_selection.h"

#include "report/graph_view.h"
#include "support/error.h"

#include <llvm/Support/FileSystem.h>

#include <algorithm>

namespace retest {

namespace {

std::vector<FunctionId> allFunctions(const Project &project) {
  std::vector<FunctionId> functions;
  for (std::uint32_t i = 0; i < project.functions.size(); ++i)
    functions.push_back({i});
  return functions;
}

/// A file as the shell completes it, by the name that the graph has for it.
std::string fileName(const ProjectPaths &paths, const std::string &typed) {
  llvm::SmallString<256> path(typed);
  if (!llvm::sys::fs::exists(path) || llvm::sys::fs::make_absolute(path))
    return typed;
  return paths.nameOf(path);
}

llvm::Expected<std::vector<FunctionId>> matches(const Project &project, const ProjectPaths &paths,
                                                const Names &names, const std::string &what) {
  if (what.empty())
    return allFunctions(project);
  std::vector<FunctionId> functions = functionsMatching(project, paths, names, what);
  if (!functions.empty())
    return functions;
  std::string file = fileName(paths, what);
  for (const ProjectUnit &unit : project.units)
    if (names.text(unit.name) == file)
      return error(ErrorKind::Usage, "{}: {}", file,
                   unit.doubts.empty()
                       ? "defines no function; 'retest graph --all' lists those of all files"
                       : unit.doubts.front().text);
  return error(ErrorKind::Usage,
               "{}: no function and no file of the project has this name; 'retest graph --all' "
               "lists everything",
               what);
}

/// Executables first: that is where the calls of tests begin.
std::vector<const ProgramGraph *> programsInOrder(const Project &project) {
  std::vector<const ProgramGraph *> programs;
  for (bool wantsExecutable : {true, false})
    for (const ProgramGraph &program : project.programs)
      if ((program.kind == ProgramKind::Executable) == wantsExecutable)
        programs.push_back(&program);
  return programs;
}

llvm::Expected<std::vector<const ProgramGraph *>> wantedPrograms(const Project &project,
                                                                 const ProjectPaths &paths,
                                                                 const Names &names,
                                                                 const std::string &name) {
  if (name.empty())
    return programsInOrder(project);
  std::string file = fileName(paths, name);
  std::vector<std::string> known;
  for (const ProgramGraph &program : project.programs) {
    llvm::StringRef text = names.text(program.name);
    if (text == name || text == file || text.ends_with("/" + name))
      return std::vector<const ProgramGraph *>{&program};
    known.push_back(text.str());
  }
  return error(ErrorKind::Usage, "{}: no such program; there are {}", name, fmt::join(known, ", "));
}

} // namespace

std::vector<FunctionId> functionsMatching(const Project &project, const ProjectPaths &paths,
                                          const Names &names, const std::string &what) {
  std::vector<FunctionId> functions = functionsNamed(project, what, names);
  return functions.empty() ? functionsInFile(project, fileName(paths, what), names) : functions;
}

llvm::Expected<std::vector<ProgramFunctions>> selectFunctions(const Project &project,
                                                              const ProjectPaths &paths,
                                                              const Names &names,
                                                              const GraphQuery &query) {
  llvm::Expected<std::vector<FunctionId>> wanted = matches(project, paths, names, query.what);
  if (!wanted)
    return wanted.takeError();
  llvm::Expected<std::vector<const ProgramGraph *>> programs =
      wantedPrograms(project, paths, names, query.program);
  if (!programs)
    return programs.takeError();

  std::vector<ProgramFunctions> result;
  std::vector<bool> isPlaced(project.functions.size(), false);
  for (const ProgramGraph *program : *programs) {
    std::vector<FunctionId> inside = functionsOf(project, *program);
    ProgramFunctions here{program, {}};
    for (FunctionId function : *wanted)
      if (!isPlaced[function.value] && std::binary_search(inside.begin(), inside.end(), function)) {
        isPlaced[function.value] = true;
        here.functions.push_back(function);
      }
    if (!here.functions.empty())
      result.push_back(std::move(here));
  }
  if (result.empty() && !query.program.empty())
    return error(ErrorKind::Usage, "{}: not in {}; leave out --program to see where it is",
                 query.what.empty() ? "--all" : query.what, query.program);
  if (result.empty())
    return error("{}: linked into no program of the build; configure the build directory again if "
                 "it should be",
                 query.what.empty() ? "--all" : query.what);
  return result;
}

} // namespace retest
