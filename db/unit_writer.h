#pragma once

#include "db/units.h"

namespace retest {

/// The columns of a row of `unit`, as they are stored.
struct UnitRow {
  std::string key, name, source, object, command, error, inputs, missed, definitions, rest;
};

/// Adds units, each once. Lives in one write transaction, and ends with `finish`.
class UnitWriter {
public:
  explicit UnitWriter(Connection &connection)
      : connection_(connection), packs_(connection), files_(connection) {}

  UnitRowId add(const NamedUnit &unit);
  /// Copies units of another file, without decoding their graphs. The ids are those there.
  llvm::Expected<std::vector<UnitRowId>> copy(Connection &from,
                                              const std::vector<UnitRowId> &units);
  void finish() { packs_.flush(); }

private:
  friend class UnitCopier;

  UnitRowId findUnit(llvm::StringRef key);
  UnitRowId insert(const UnitRow &row);
  std::vector<PlacedDefinition> addDefinitions(const std::vector<Encoded> &definitions,
                                               FingerprintBuilder &unitKey);

  Connection &connection_;
  PackWriter packs_;
  FileWriter files_;
};

} // namespace retest
