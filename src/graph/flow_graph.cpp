#include "graph/flow_graph.h"

namespace retest {

Fingerprint fingerprintOf(const Node &node) {
  FingerprintBuilder hash;
  hash.add(static_cast<std::uint64_t>(node.kind));
  for (const Element &element : node.elements)
    hash.add(element.fingerprint);
  return hash.finish();
}

Fingerprint fingerprintOf(const FlowGraph &graph, const Names &names) {
  FingerprintBuilder hash;
  hash.add(graph.nodes.size());
  for (const Node &node : graph.nodes) {
    hash.add(fingerprintOf(node));
    // Where Clang knows the class of an object, the callee is not what the expression names.
    hash.add(static_cast<std::uint64_t>(node.call.kind));
    for (NameId name : {node.call.callee, node.call.receiver})
      hash.add(name.isValid() ? names.text(name) : "");
    hash.add(node.locals.size());
    for (std::uint32_t local : node.locals)
      hash.add(local);
  }
  for (const FlowEdge &edge : graph.edges) {
    hash.add(edge.from.value).add(edge.to.value).add(static_cast<std::uint64_t>(edge.kind));
    hash.add(names.text(edge.label));
  }
  return hash.finish();
}

} // namespace retest
