#include "graph/share_names.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {
namespace {

class Translation {
public:
  Translation(const Names &own, Names &shared) : own_(own), shared_(shared), ids_(own.size()) {}

  void apply(NameId &name) {
    if (!name.isValid())
      return;
    NameId &known = ids_[name.value];
    if (!known.isValid())
      known = shared_.intern(own_.text(name));
    name = known;
  }
  void apply(std::vector<NameId> &names) {
    for (NameId &name : names)
      apply(name);
  }
  void apply(SourceRange &where) {
    apply(where.begin.file);
    apply(where.end.file);
  }
  void apply(std::vector<Use> &uses) {
    for (Use &use : uses)
      apply(use.entity);
    llvm::sort(uses);
  }
  void apply(Node &node) {
    for (Element &element : node.elements)
      apply(element.where);
    apply(node.call.callee);
    apply(node.call.receiver);
    apply(node.uses);
  }
  void apply(Function &function) {
    apply(function.name);
    apply(function.symbols);
    apply(function.ofClass);
    apply(function.where);
    for (Node &node : function.flow.nodes)
      apply(node);
    for (FlowEdge &edge : function.flow.edges)
      apply(edge.label);
  }
  void apply(Class &type) {
    apply(type.name);
    for (BaseClass &base : type.bases)
      apply(base.name);
    for (VirtualMethod &method : type.virtualMethods) {
      apply(method.name);
      apply(method.overrides);
    }
    apply(type.where);
  }
  void apply(Variable &variable) {
    apply(variable.name);
    apply(variable.symbols);
    apply(variable.uses);
    apply(variable.where);
  }

private:
  const Names &own_;
  Names &shared_;
  std::vector<NameId> ids_; ///< by own id
};

} // namespace

void shareNames(UnitGraph &graph, const Names &own, Names &shared) {
  Translation translation(own, shared);
  translation.apply(graph.name);
  for (Function &function : graph.functions)
    translation.apply(function);
  for (Class &type : graph.classes)
    translation.apply(type);
  for (Variable &variable : graph.variables)
    translation.apply(variable);
  translation.apply(graph.initialiser);
  for (Doubt &doubt : graph.doubts)
    translation.apply(doubt.where.file);
  for (LeftOutText &text : graph.compiledOut)
    translation.apply(text.file);
  for (ExternalHeader &header : graph.externalHeaders)
    translation.apply(header.path);
}

} // namespace retest
