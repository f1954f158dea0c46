#pragma once

#include "graph/program_graph.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

#include <array>

namespace retest {

/// The size of a project's graph. Functions, nodes and the rest count each distinct function
/// once; `functionRows` counts it in every unit.
struct GraphStats {
  std::size_t units = 0;
  std::size_t programs = 0;
  std::size_t functionRows = 0;
  std::size_t functions = 0;
  std::size_t names = 0; ///< distinct identities, internal ones by unit
  std::size_t implicitFunctions = 0;
  std::size_t externalFunctions = 0;
  std::size_t systemHeaderFunctions = 0;
  std::size_t unmodelledFunctions = 0;
  std::size_t nodes = 0;
  std::array<std::size_t, 9> nodesByKind{}; ///< by NodeKind
  std::size_t edges = 0;
  std::array<std::size_t, 3> edgesByKind{}; ///< Flow, Path, Exception
  std::size_t elements = 0;
  std::size_t calls = 0;
  std::size_t virtualCalls = 0;
  std::size_t indirectCalls = 0;
  std::size_t classes = 0;
  std::size_t externalClasses = 0;
  std::size_t variables = 0;
  std::size_t initialisers = 0; ///< units with a dynamic initialiser
  std::size_t doubts = 0;       ///< of units and programs

  auto operator<=>(const GraphStats &) const = default;
};

GraphStats statsOf(const Project &project);

/// A line for each number, aligned.
void writeStatsText(llvm::raw_ostream &out, const GraphStats &stats);
/// One object.
void writeStatsJson(llvm::json::OStream &json, const GraphStats &stats);

} // namespace retest
