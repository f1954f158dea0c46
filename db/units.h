#pragma once

#include "db/files.h"
#include "db/packs.h"
#include "db/stored_unit.h"
#include "graph/shared_unit.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>

namespace retest {

/// Where a unit has a definition.
struct PlacedDefinition {
  DefinitionId id;
  std::uint32_t startLine = 0;
};

/// The column `unit.definitions`: in the order of UnitGraph.
struct UnitDefinitions {
  std::vector<PlacedDefinition> functions;
  std::vector<PlacedDefinition> classes;
  std::vector<PlacedDefinition> variables;

  template <class Action> void forEach(const Action &action) {
    for (auto *list : {&functions, &classes, &variables})
      for (PlacedDefinition &definition : *list)
        action(definition);
  }
};

std::string encodeDefinitions(const UnitDefinitions &definitions);
llvm::Expected<UnitDefinitions> decodeDefinitions(llvm::StringRef bytes);

/// What a query for loadStoredUnits selects.
inline constexpr const char kStoredUnitColumns[] =
    "unit.id, name, source, object, command, error, inputs, missed";
/// The units that `query` gives ("SELECT <kStoredUnitColumns> FROM unit ..."), in its order.
llvm::Expected<std::vector<StoredUnit>> loadStoredUnits(Connection &connection,
                                                        const std::string &query);
llvm::Expected<UnitDefinitions> loadDefinitions(Connection &connection, UnitRowId unit);
/// The graph of a unit, without its external headers.
llvm::Expected<UnitGraph> loadUnitGraph(Connection &connection, PackReader &packs, UnitRowId unit,
                                        Names &names);
/// Loads units one by one, and decodes what several of them define once.
class SharedUnitLoader {
public:
  /// REQUIRES: all of them outlive the object.
  SharedUnitLoader(Connection &connection, PackReader &packs, const FileTable &files, Names &names)
      : connection_(connection), packs_(packs), files_(files), names_(names) {}

  llvm::Expected<SharedUnit> load(const StoredUnit &unit);

private:
  template <class Value>
  using Known = std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<const Value>>;
  template <class Value>
  llvm::Error loadAll(const std::vector<PlacedDefinition> &definitions, Known<Value> &known,
                      llvm::Expected<Value> (*decode)(EncodedRef, Names &),
                      SharedPool<Value> &values);

  Connection &connection_;
  PackReader &packs_;
  const FileTable &files_;
  Names &names_;
  // By definition and the line where it starts.
  Known<Function> functions_;
  Known<Class> classes_;
  Known<Variable> variables_;
};

/// UnitGraph::externalHeaders of a unit, for those who have no table of files.
llvm::Expected<std::vector<ExternalHeader>> loadExternalHeaders(Connection &connection,
                                                                UnitRowId unit, Names &names);
/// The whole unit, with its paths as text.
llvm::Expected<UnitRecord> loadUnit(Connection &connection, PackReader &packs,
                                    const FileTable &files, const StoredUnit &unit, Names &names);

/// Removes what no unit and no test needs: packs, versions of files, paths. Inside a write
/// transaction.
llvm::Error collectGarbage(Connection &connection);

} // namespace retest
