#pragma once

#include "diff/changed_units.h"
#include "diff/delta.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>

#include <map>
#include <optional>

namespace retest {

/// A function of the current project in which the executions of a baseline function go on.
struct Counterpart {
  FunctionId function;
  /// Which copy of the name runs is not known, so that who entered one may have crossed all edges
  /// of each, as in a recording.
  bool isWhole = false;

  auto operator<=>(const Counterpart &) const = default;
};

/// Which functions of two versions stand for each other, in one binary at a time: what a name means
/// depends on what is linked.
///
///     external f()                  f() of the same binary, wherever it is defined now
///     internal f() of a.cpp         f() of the unit that stands for a.cpp
///     a lambda of g(), g() moved    the same code in the unit to which g() moved
///     several variants of a name    each for the one like it; all for all if they are not the same
class Counterparts {
public:
  /// REQUIRES: all of them outlive the object, and both projects share `names`.
  Counterparts(const Project &baseline, const Project &current, const Names &names,
               const Delta &delta);

  /// The binaries of the baseline that contain the function, by number.
  llvm::ArrayRef<std::uint32_t> imagesWith(FunctionId baseline) const {
    return imagesWith_[baseline.value];
  }
  /// The number of a binary by its name; nothing if it contains no function.
  std::optional<std::uint32_t> imageNamed(llvm::StringRef name) const;

  /// The counterparts in one binary; none: it has no such function now.
  std::vector<Counterpart> of(FunctionId baseline, std::uint32_t image) const;

  /// What was crossed of a baseline function, in terms of its counterpart; nothing if that is not
  /// known.
  std::optional<llvm::BitVector> carried(FunctionId baseline, Counterpart current,
                                         const llvm::BitVector &crossed) const;

private:
  /// The functions of one version of a binary by name, each once.
  using Image = llvm::DenseMap<std::uint32_t, llvm::SmallVector<FunctionId, 1>>;
  using Functions = llvm::SmallVector<FunctionId, 2>;

  void addImages(const Project &project, std::vector<Image> &images);
  Functions variantsOf(FunctionId baseline, std::uint32_t image) const;
  Functions candidatesFor(FunctionId baseline, std::uint32_t image) const;

  const Project &baseline_, &current_;
  const Names &names_;
  MatchedUnits units_;
  llvm::StringMap<std::uint32_t> numbers_;                      ///< of binaries, by name
  std::vector<Image> before_, after_;                           ///< by number of the binary
  std::vector<llvm::SmallVector<std::uint32_t, 1>> imagesWith_; ///< by baseline function
  /// The pairs of changed functions.
  std::map<std::pair<FunctionId, FunctionId>, std::vector<EdgePair>> walked_;
};

} // namespace retest
