#pragma once

#include <llvm/ProfileData/Coverage/CoverageMapping.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <vector>

namespace retest {

/// A function of an instrumented module: where its counters are, and what they count.
///
/// Each instance of a template is one of its own. A function that the compiler instrumented, but
/// for which it wrote no regions (constructors of test macros), has only its counters.
struct CountedFunction {
  std::string symbol;             ///< mangled name, as in Function::symbols
  std::string unit;               ///< of a local one: the file that the compiler names; else empty
  std::uint32_t firstCounter = 0; ///< index in ModuleCounters::counters; the function's entry
  std::uint32_t counterCount = 0;
  std::vector<std::string> files; ///< by the FileID of regions
  std::vector<llvm::coverage::CounterMappingRegion> regions;
  std::vector<llvm::coverage::CounterExpression> expressions;
};

/// Whether the region is a condition with two counters.
bool isBranch(const llvm::coverage::CounterMappingRegion &region);

/// Whether a region, or for a branch each of its sides, was executed.
struct RegionHit {
  bool isHit = false;
  bool isFalseHit = false; ///< of a branch: the condition was false

  auto operator<=>(const RegionHit &) const = default;
};

/// What happened in one process, region by region. `counters` are those of the whole module.
std::vector<RegionHit> hitsOf(const CountedFunction &function,
                              llvm::ArrayRef<std::uint64_t> counters);

/// An executable or library built with -fprofile-instr-generate -fcoverage-mapping.
struct CountedModule {
  std::string path;
  std::string buildId; ///< bytes
  std::size_t counterCount = 0;
  std::vector<CountedFunction> functions; ///< by first counter
  /// Those that units of the module read and the compiler never emitted, as far as it says so:
  /// without counters. By unit and symbol.
  std::vector<CountedFunction> unemitted;

  /// An error if the file has no counters, or its tables do not fit each other.
  static llvm::Expected<CountedModule> load(const std::string &path);
};

} // namespace retest
