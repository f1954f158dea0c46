#pragma once

#include "graph/shared_pool.h"
#include "graph/unit_graph.h"

namespace retest {

/// A unit whose definitions may belong to other units and versions as well.
struct SharedUnit {
  UnitGraph rest; ///< without functions, classes and variables
  SharedPool<Function> functions;
  SharedPool<Class> classes;
  SharedPool<Variable> variables;

  SharedUnit() = default;
  /// A unit whose definitions are its own.
  explicit SharedUnit(UnitGraph graph)
      : functions(std::exchange(graph.functions, {})), classes(std::exchange(graph.classes, {})),
        variables(std::exchange(graph.variables, {})) {
    rest = std::move(graph);
  }
};

} // namespace retest
