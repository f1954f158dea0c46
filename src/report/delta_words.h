#pragma once

#include "diff/delta.h"
#include "report/graph_view.h"

namespace retest {

/// What both versions of a project are shown with. This module reads no files itself.
struct DeltaView {
  const Project &baseline, &current;
  const Names &names;
  SourceLines baselineLines, currentLines;
};

/// Why an edge is dangerous, in a few words: "code changed at src/a.cpp:12".
std::string reasonText(const DeltaView &view, const Reason &reason);

/// A node of the baseline by its source: "x > 0", "call f()", "entry".
std::string nodeText(const DeltaView &view, FunctionId function, NodeId node);

/// A dangerous edge: "x > 0 -T-> return 1", "s.area() -Square-> Shape::area()", "every call".
std::string edgeText(const DeltaView &view, const DangerousEdge &edge);

/// "external code -C-> bar()", "external code -C-> *".
std::string classEntryText(const DeltaView &view, const DangerousClassEntry &entry);

} // namespace retest
