#pragma once

#include "cov/coverage_matrix.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <string>
#include <vector>

namespace retest {

/// Bits of test.native_flags.
inline constexpr int kIsDisabled = 1, kBringsOthers = 2;

// The blobs of a coverage matrix. The decoders take any bytes: what is damaged, or names a test or
// class beyond the counts given, is an error of kind Store.

// Sets of tests are small and resemble their neighbours, so they are compressed together: 9,000
// classes of 2,000 tests shrank from 117 KB to 70 KB (by zlib, all in one).
inline constexpr std::uint32_t kClassesPerRow = 256;
/// More than any suite or program has; keeps damaged numbers from asking for all memory.
inline constexpr std::uint32_t kMostTests = 1 << 24;
inline constexpr std::uint32_t kMostClasses = 1 << 24;
inline constexpr std::uint64_t kMostEdges = 1 << 24; // in one unit
inline constexpr std::uint64_t kMostFunctions = 1 << 24;

using TestSet = std::vector<TestId>;

/// At most kClassesPerRow sets, each sorted.
std::string encodeClasses(llvm::ArrayRef<TestSet> classes);

/// A decompressed row of classes, of which each is decoded when it is asked for.
class ClassRow {
public:
  static llvm::Expected<ClassRow> read(llvm::StringRef bytes);

  std::size_t size() const { return parts_.size(); }
  llvm::Expected<TestSet> decode(std::size_t place, std::uint32_t testCount) const;

private:
  struct Part {
    std::size_t begin, size;
  };
  std::string bytes_;
  std::vector<Part> parts_;
};

std::string encodeUnitCoverage(const UnitCoverage &unit);
/// The unit's name is not among the bytes.
llvm::Expected<UnitCoverage> decodeUnitCoverage(llvm::StringRef bytes, std::uint32_t classCount);

/// UnitCoverage::counted. No bytes: none.
std::string encodeCounted(llvm::ArrayRef<std::uint32_t> places);
llvm::Expected<std::vector<std::uint32_t>> decodeCounted(llvm::StringRef bytes);

std::string encodeConstructed(llvm::ArrayRef<ClassCoverage> classes);
llvm::Expected<std::vector<ClassCoverage>> decodeConstructed(llvm::StringRef bytes,
                                                             std::uint32_t classCount);

std::string encodeTexts(const std::vector<std::string> &texts);
llvm::Expected<std::vector<std::string>> decodeTexts(llvm::StringRef bytes);

} // namespace retest
