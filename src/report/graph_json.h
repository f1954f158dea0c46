#pragma once

#include "graph/program_graph.h"

#include <llvm/Support/raw_ostream.h>

#include <optional>

namespace retest {

struct GraphJsonOptions {
  /// Only these functions, their units and the calls from and to them; classes and variables are
  /// left out then. Sorted by id.
  std::optional<std::vector<FunctionId>> functions;
  bool isIndented = true;
};

/// The whole graph as one JSON object, streamed: memory does not grow with its size.
///
///     { "schema_version": 1,
///       "units": [...], "functions": [...], "classes": [...], "variables": [...],
///       "programs": [ { "name", "units", "variants", "calls", "virtual_calls", "dispatch",
///                       "class_entries", "callbacks", "roots", "doubts" } ] }
///
/// Entities refer to each other by "id". Paths are relative to the project root
/// and everything is in an order that follows from names alone, so two
/// checkouts of one version give the same bytes. Calls of functions outside the project are seen at
/// their nodes; "calls" holds those with a target inside. Bytes that are not UTF-8 become U+FFFD.
void writeGraphJson(llvm::raw_ostream &out, const Project &project, const Names &names,
                    const GraphJsonOptions &options);

} // namespace retest
