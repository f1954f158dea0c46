#include "graph/unit_fingerprint.h"

namespace retest {

Fingerprint fingerprintOf(const UnitGraph &unit, const Names &names) {
  FingerprintBuilder hash;
  hash.add(unit.functions.size()).add(unit.classes.size()).add(unit.variables.size());
  for (const Function &function : unit.functions) {
    // The name of the unit's initialiser is made from that of the unit.
    bool isInitialiser = function.name == unit.initialiser;
    hash.add(isInitialiser ? "" : names.text(function.name));
    hash.add(function.fingerprint).add(function.compiledOut);
    hash.add(static_cast<std::uint64_t>(function.linkage));
    hash.add(function.isReplacement | (function.isTestRegistration << 1) |
             (function.isEmittedElsewhere << 2));
  }
  for (const Class &type : unit.classes) {
    hash.add(names.text(type.name)).add(static_cast<std::uint64_t>(type.linkage));
    hash.add(type.layout).add(type.hierarchy).add(type.dispatch);
    hash.add(type.isAbstract | (type.isFinal << 1) | (type.isExternal << 2));
  }
  for (const Variable &variable : unit.variables) {
    hash.add(names.text(variable.name)).add(static_cast<std::uint64_t>(variable.linkage));
    hash.add(variable.fingerprint);
    hash.add(variable.hasDynamicInitialiser | (variable.isConstant << 1) |
             (variable.isEmittedElsewhere << 2));
  }
  for (const Doubt &doubt : unit.doubts)
    hash.add(llvm::StringRef(doubt.text));
  hash.add(unit.flags).add(unit.givenToLibraries);
  for (const LeftOutText &text : unit.compiledOut)
    if (text.text != Fingerprint{})
      hash.add(names.text(text.file)).add(text.text);
  for (const ExternalHeader &header : unit.externalHeaders)
    hash.add(names.text(header.path)).add(header.seen);
  return hash.finish();
}

} // namespace retest
