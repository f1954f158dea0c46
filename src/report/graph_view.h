#pragma once

#include "graph/external_code.h"
#include "graph/program_calls.h"

#include <cstdint>
#include <functional>
#include <string>

namespace retest {

/// The text of one line of a source file, without its end; empty if it is not known. The file is
/// named as in SourcePosition. This module reads no files itself.
using SourceLines = std::function<std::string(llvm::StringRef file, std::uint32_t line)>;

/// What the renderers of one program look at.
class GraphView {
public:
  GraphView(const Project &project, const ProgramGraph &program, const Names &names,
            SourceLines lines);

  const Project &project;
  const ProgramGraph &program;
  const Names &names;
  SourceLines lines;
  ProgramCalls calls;
  ExternalCode external;

  std::string nameOf(FunctionId function) const;
  std::string nameOf(ClassId type) const;           ///< with its unit if the linkage is internal
  std::string text(NameId name) const;              ///< as valid UTF-8
  std::string place(SourcePosition position) const; ///< "src/a.cpp:12", or empty
};

/// One line of source that a node covers.
struct NodeLine {
  SourcePosition where;
  std::string text; ///< trimmed; empty if the source is not known
};

/// The lines on which a node's elements begin, in order of execution, each once.
std::vector<NodeLine> linesOf(const Node &node, const SourceLines &lines, const Names &names);

/// Whether functionsNamed finds a function of that identity, if there is no exact one.
bool answersTo(llvm::StringRef identity, llvm::StringRef query);

/// Functions whose identity is `query`, or whose name without parameters and template arguments,
/// or the last part of it, is: "ns::Box<int>::put(int)", "ns::Box<int>::put", "Box::put", "put".
/// The exact identity wins.
std::vector<FunctionId> functionsNamed(const Project &project, llvm::StringRef query,
                                       const Names &names);

/// The functions that begin in the file, by position. A path matches from its end: "avg.cpp".
std::vector<FunctionId> functionsInFile(const Project &project, llvm::StringRef file,
                                        const Names &names);

} // namespace retest
