#pragma once

#include "graph/virtual_calls.h"

namespace retest {

/// External code calls `method` of an object whose class overrides it.
struct ClassEntryEdge {
  NameId method;     ///< the label: a virtual method of an external class
  NameId overrider;  ///< the project's method that runs
  FunctionId target; ///< not valid if it has no body in the program

  auto operator<=>(const ClassEntryEdge &) const = default;
};

/// Where external code enters objects of one project class that derives from an external one.
/// Beside these edges there is always the default edge `*`, for the external methods that the
/// class does not override: it leads back to external code, and an override that only the current
/// program has takes its calls from there.
struct ClassEntry {
  ClassId ofClass;
  std::vector<ClassEntryEdge> edges; ///< sorted by the text of the label

  auto operator<=>(const ClassEntry &) const = default;
};

/// The external-code node: all code outside the project, as one caller.
///
///     external A { foo, bar }    B : A { foo }    C : B { bar }
///       -> B: foo -> B::foo, *         C: foo -> B::foo, bar -> C::bar, *
///
/// It may also call every function whose address is taken anywhere (std::thread, qsort, a table).
struct ExternalCode {
  std::vector<ClassEntry> entries;   ///< sorted by the text of the class name
  std::vector<FunctionId> callbacks; ///< sorted by id

  auto operator<=>(const ExternalCode &) const = default;
};

ExternalCode externalCode(const Project &project, const ProgramGraph &program,
                          VirtualCalls &virtualCalls, const Names &names);

enum class RootKind : std::uint8_t { Initialiser, Main, ExternalCode };

/// Where the program begins to run, besides test entry points.
struct Root {
  RootKind kind = RootKind::Main;
  FunctionId function; ///< not valid for external code

  auto operator<=>(const Root &) const = default;
};

/// The initialisers in link order, `main`, external code.
std::vector<Root> rootsOf(const Project &project, const ProgramGraph &program, const Names &names);

} // namespace retest
