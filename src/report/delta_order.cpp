#include "report/delta_order.h"

namespace retest {

Delta inTextOrder(Delta delta, const Project &baseline, const Project &current,
                  const Names &names) {
  auto sort = [](auto &list, auto key) {
    llvm::sort(list, [&](const auto &a, const auto &b) { return key(a) < key(b); });
  };
  auto place = [&](const SourcePosition &where) {
    return std::tuple(names.text(where.file), where.line, where.column);
  };
  auto nameOf = [&](const FunctionChange &change) {
    return names.text(change.baseline.isValid() ? baseline[change.baseline].name
                                                : current[change.current].name);
  };
  sort(delta.edges, [&](const DangerousEdge &edge) {
    return std::tuple(edge.function, edge.place, edge.edge, edge.node, names.text(edge.receiver));
  });
  sort(delta.classEntries, [&](const DangerousClassEntry &entry) {
    return std::tuple(names.text(entry.type), names.text(entry.method));
  });
  sort(delta.programs, [&](const DangerousProgram &program) {
    return std::tuple(program.program, program.reason.kind, names.text(program.reason.entity),
                      program.reason.isInBaseline, place(program.reason.where));
  });
  sort(delta.functions, [&](const FunctionChange &change) {
    return std::tuple(change.kind, nameOf(change), change.baseline, change.current);
  });
  sort(delta.doubts, [&](const Doubt &doubt) {
    return std::tuple(llvm::StringRef(doubt.text), place(doubt.where));
  });
  return delta;
}

} // namespace retest
