#include "tests/db/sample_units.h"

#include "graph/encode.h"

namespace retest {

std::string textOf(const UnitRecord &unit, const Names &names) {
  FingerprintBuilder hash;
  auto add = [&](const Encoded &encoded) {
    hash.add(encoded.names).add(encoded.structure).add(encoded.fingerprints);
    hash.add(encoded.startLine);
  };
  for (const Function &function : unit.graph.functions)
    add(encodeFunction(function, names));
  for (const Class &value : unit.graph.classes)
    add(encodeClass(value, names));
  for (const Variable &variable : unit.graph.variables)
    add(encodeVariable(variable, names));
  add(encodeUnitRest(unit.graph, names));
  std::string text = fmt::format("{} {} {} {} {} {}", unit.name, unit.source, unit.object,
                                 toHex(unit.command), unit.error, toHex(hash.finish()));
  for (const FileInput &input : unit.inputs)
    text += fmt::format(" {}={}/{}", input.path, toHex(input.content), toHex(input.seen));
  for (const ExternalHeader &header : unit.graph.externalHeaders)
    text += fmt::format(" <{}>={}", names.text(header.path).str(), toHex(header.seen));
  for (const std::string &path : unit.missed)
    text += " -" + path;
  return text + "\n";
}

std::string SampleUnits::text() const {
  std::string text;
  for (const UnitRecord &unit : units)
    text += textOf(unit, names);
  return text;
}

std::string loaded(Store &store, const std::string &name) {
  Names names;
  auto baseline = store.loadBaseline(name, names);
  if (!baseline)
    return llvm::toString(baseline.takeError());
  std::string text;
  for (const UnitRecord &unit : baseline->units)
    text += textOf(unit, names);
  return text;
}

} // namespace retest
