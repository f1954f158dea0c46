#pragma once

#include "db/open_mode.h"
#include "db/stored_coverage.h"
#include "db/stored_unit.h"
#include "graph/program_plan.h"
#include "graph/shared_unit.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace retest {

struct Connection;
class PackReader;
class ParseCache;

struct BaselineInfo {
  std::string name;        ///< unique in a store
  std::string commit;      ///< empty outside a repository
  std::string recordedAt;  ///< "2025-01-31T12:00:00Z"
  std::string environment; ///< what beside the program decides how tests behave

  auto operator<=>(const BaselineInfo &) const = default;
};

struct Baseline {
  BaselineRowId id;
  BaselineInfo info;
  std::vector<UnitRecord> units; ///< sorted by name
  ProgramPlan plan;
};

/// The units of a baseline to be saved, from two sources.
struct BaselineUnits {
  std::vector<NamedUnit> parsed;
  ParseCache *cache = nullptr;
  std::vector<UnitRowId> cached; ///< of `cache`; their graphs are copied as bytes
};

/// What the build links, with the table of its names.
struct NamedPlan {
  const ProgramPlan *plan = nullptr;
  const Names *names = nullptr;
};

/// A baseline without its graphs.
struct BaselineIndex {
  BaselineRowId id;
  BaselineInfo info;
  std::vector<StoredUnit> units; ///< sorted by name
  FileTable files;
};

/// A function of a baseline, with all units that contain it.
struct StoredFunction {
  struct Place {
    std::string unit;
    std::uint32_t position = 0; ///< in UnitGraph::functions
  };
  Function function;
  std::vector<Place> places; ///< by name of the unit
};

struct FunctionsOnLine {
  std::vector<StoredFunction> there;
  /// If none is there: some that start near that line, of this file or of others.
  std::vector<StoredFunction> near;
};

/// The file retest.db: the recorded baselines.
///
/// Invariant: each change is one transaction. A process that is killed, at any moment, leaves
/// the content as it was before or as it is after. Units, and the functions in them, that
/// several baselines share are kept once; what none needs any more is removed with the last.
///
/// Several processes may use a store at once; readers see what was there when they began to
/// read. Each object is used from one thread.
class Store {
public:
  static llvm::Expected<Store> open(const std::string &path, OpenMode mode);
  Store(Store &&);
  Store &operator=(Store &&);
  ~Store();

  /// Adds a baseline, in place of the one of the same name. The newest is the one saved last. With
  /// a matrix that is not valid, or not about these units, nothing is saved.
  llvm::Error saveBaseline(const BaselineInfo &info, const BaselineUnits &units,
                           const NamedPlan &plan = {}, const CoverageMatrix *coverage = nullptr);
  /// Removing what is not there is an error.
  llvm::Error removeBaseline(const std::string &name);

  /// Newest first.
  llvm::Expected<std::vector<BaselineInfo>> listBaselines();
  /// Those whose tests were run; newest first.
  llvm::Expected<std::vector<BaselineInfo>> listRecorded();
  /// The baseline of that name, or the newest if the name is empty.
  llvm::Expected<Baseline> loadBaseline(const std::string &name, Names &names);
  llvm::Expected<BaselineIndex> loadIndex(const std::string &name);
  /// What the build of a baseline linked.
  llvm::Expected<ProgramPlan> loadPlan(BaselineRowId baseline, Names &names);
  /// What the tests of a baseline reached; nothing if it is of the graph alone.
  llvm::Expected<std::optional<StoredCoverage>> coverage(BaselineRowId baseline);
  /// The graph of a unit of an index.
  llvm::Expected<UnitGraph> loadGraph(UnitRowId unit, Names &names);
  /// The graphs of all units of an index, in its order.
  llvm::Expected<std::vector<SharedUnit>> loadGraphs(const BaselineIndex &index, Names &names);

  /// The units of an index that hold a function, class or variable with a name that `matches`.
  /// Reads the names alone.
  llvm::Expected<std::vector<UnitRowId>>
  unitsDefining(const BaselineIndex &index, llvm::function_ref<bool(llvm::StringRef)> matches);

  /// The functions of an index with a name that `matches`; and those that are on a line of a file,
  /// if only in part. Only these are decoded, each once.
  llvm::Expected<std::vector<StoredFunction>>
  functionsNamed(const BaselineIndex &index, llvm::function_ref<bool(llvm::StringRef)> matches,
                 Names &names);
  llvm::Expected<FunctionsOnLine> functionsOnLine(const BaselineIndex &index, llvm::StringRef file,
                                                  std::uint32_t line, Names &names);

  /// Reads everything once: an error if anything is damaged or missing.
  llvm::Error check();

  /// For what looks after stores: store_upkeep.h, export.h.
  Connection &connection() { return *connection_; }
  PackReader &packs() { return *packs_; }

private:
  explicit Store(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
  std::unique_ptr<PackReader> packs_;
};

} // namespace retest
