#pragma once

#include "lab/trace/marks.h"
#include "tests/lab/project_files.h"

namespace retest {

/// Where marks go, file by file, and what is left without a mark, by reason and place. Units are
/// added one by one; what several of them contain (headers) is there several times.
struct FoundMarks {
  std::map<std::string, MarksOfFile> files;
  std::map<std::string, std::vector<std::string>> skipped; ///< reason -> places

  /// Operators && and || that some instantiation of a template overloads: their operands are
  /// arguments of a call there. By file, offsets.
  std::map<std::string, std::vector<unsigned>> overloaded;
};

/// Adds the marks of all bodies in files of the project.
///
/// Templates are read as they are written: a mark in one is a mark in each instantiation. Left out
/// is what is not executed where it is written, or only by the compiler: types, template arguments,
/// default arguments, default member initialisers, `case` values, unevaluated operands,
/// `consteval`.
void findMarks(clang::ASTContext &unit, const ProjectFiles &project, FoundMarks &found);

} // namespace retest
