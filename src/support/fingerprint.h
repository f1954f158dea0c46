#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

#include <compare>
#include <cstdint>
#include <string>

namespace retest {

/// A 128-bit hash of meaning or of content. Equal on every machine for the same input.
struct Fingerprint {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  auto operator<=>(const Fingerprint &) const = default;
};

/// 32 hexadecimal digits.
std::string toHex(Fingerprint fingerprint);

/// The fingerprint of a run of bytes, such as a file's content.
Fingerprint fingerprintOf(llvm::StringRef bytes);

/// Collects values and hashes them as one sequence: strings carry their length, so that
/// ("ab", "c") and ("a", "bc") differ.
class FingerprintBuilder {
public:
  FingerprintBuilder &add(std::uint64_t value);
  FingerprintBuilder &add(llvm::StringRef text);
  FingerprintBuilder &add(Fingerprint fingerprint);
  Fingerprint finish() const;

private:
  llvm::SmallVector<std::uint8_t, 256> bytes_;
};

} // namespace retest
