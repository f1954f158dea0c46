#pragma once

#include "cov/gcov_image.h"
#include "cov/gcov_notes.h"
#include "cov/module_probes.h"

#include <map>
#include <memory>
#include <optional>
#include <set>

namespace retest {

/// The units by the path of their object, without ".o" and with links resolved.
using UnitsByObject = llvm::StringMap<UnitId>;

/// `path` without its last extension, in a directory without links.
std::string objectStem(llvm::StringRef path);

/// A module with the counters of GCC.
///
/// The join is by unit (the object's path) and mangled name. Witnesses are lines: a node may have
/// been reached if a block on its lines was. Functions that were compiled into others (the
/// attribute always_inline) count there, which is seen by the lines of those others; they are
/// unreliable, and so are constexpr functions.
class GcovModule : public ModuleProbes {
public:
  /// `units`: those that may be linked into the module. An error if the notes of an object are
  /// missing or those of another compilation.
  /// REQUIRES: `project` and `names` outlive the object.
  static llvm::Expected<std::unique_ptr<GcovModule>>
  load(GcovImage image, const Project &project, const Names &names, llvm::ArrayRef<UnitId> units,
       const UnitsByObject &unitsByObject, FileNamer nameOf);

  llvm::Error add(const ModuleCounters &process, FileNamer nameOf,
                  CrossedFunctions &crossed) override;
  void addProbed(std::vector<FunctionId> &functions) const override;
  void addUnreliable(std::vector<FunctionId> &functions) const override;
  std::size_t inconsistencies() const override { return inconsistencies_; }
  void addWitnesses(WitnessCounts &counts, FileNamer nameOf) override;

private:
  struct Probed {
    std::vector<FunctionId> functions; ///< several: which one it is, is not known
    bool isWhole = false;              ///< function-level witnesses
    bool isUncertain = false;          ///< counters may be those of other functions
    GcovFunction notes;
    std::size_t object = 0; ///< index in files_
    std::uint32_t firstCounter = 0;
    std::optional<FlowWitness> witness; ///< made when first needed
  };

  GcovModule(const Project &project, const Names &names) : project_(project), names_(names) {}
  llvm::Error addObject(const GcovObject &object, const Symbols &symbols,
                        std::optional<UnitId> unit, llvm::ArrayRef<UnitId> units, FileNamer nameOf);
  void addFunction(GcovFunction notes, std::uint32_t firstCounter, const Symbols &symbols,
                   std::optional<UnitId> unit, llvm::ArrayRef<UnitId> units);
  std::vector<FunctionId> lambdasAround(const GcovFunction &notes,
                                        llvm::ArrayRef<UnitId> units) const;
  void compareWithPlace(NamedFunctions &named, const GcovFunction &notes,
                        llvm::ArrayRef<UnitId> units) const;
  void addInlined(const GcovFunction &notes, llvm::ArrayRef<FunctionId> owners,
                  llvm::ArrayRef<UnitId> units);
  const FlowWitness &witnessOf(Probed &probed);
  void addCrossed(Probed &probed, const ModuleCounters &process, CrossedFunctions &crossed);

  GcovImage image_;
  const Project &project_;
  const Names &names_;
  std::vector<std::vector<NameId>> files_; ///< by object, by GcovLine::file
  std::vector<Probed> probed_;
  std::set<FunctionId> inlined_;
  std::size_t inconsistencies_ = 0;
};

} // namespace retest
