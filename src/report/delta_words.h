#pragma once

#include "diff/delta.h"
#include "report/edited_places.h"
#include "report/graph_view.h"

#include <map>
#include <memory>

namespace retest {

/// The virtual calls of each program, found when first asked for.
using ProgramDispatch = std::map<const ProgramGraph *, VirtualCalls>;

/// What both versions of a project are shown with. This module reads no files itself.
struct DeltaView {
  const Project &baseline, &current;
  const Names &names;
  SourceLines baselineLines, currentLines;
  EditedPlaces edited = {}; ///< may be empty: not known
  std::shared_ptr<ProgramDispatch> dispatch = std::make_shared<ProgramDispatch>();
};

/// Why an edge is dangerous, in a few words: "code changed at src/a.cpp:12".
std::string reasonText(const DeltaView &view, const Reason &reason);

/// A node of the baseline by its source: "x > 0", "call f()", "entry".
std::string nodeText(const DeltaView &view, FunctionId function, NodeId node);

/// The parts of an edge: what it leaves, its label, what it enters. An edge into a function that is
/// entered as a whole has nothing but the last.
struct EdgeWords {
  std::string from, arrow, to;
};
EdgeWords edgeWords(const DeltaView &view, const DangerousEdge &edge);

/// A dangerous edge: "x > 0 -T-> return 1", "s.area() -Square-> Shape::area()", "every call".
std::string edgeText(const DeltaView &view, const DangerousEdge &edge);

/// "external code -C-> bar()", "external code -C-> *".
std::string classEntryText(const DeltaView &view, const DangerousClassEntry &entry);

/// A name as people read it, and a place: "src/a.cpp:12", or empty.
std::string nameText(const DeltaView &view, NameId name);
std::string placeText(const DeltaView &view, SourcePosition where);

/// The words of JSON documents.
llvm::StringRef wordFor(ChangeKind kind);
llvm::StringRef wordFor(EdgePlace place);
llvm::StringRef wordFor(FunctionChangeKind kind);

} // namespace retest
