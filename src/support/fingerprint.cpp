#include "support/fingerprint.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/xxhash.h>

namespace retest {

std::string toHex(Fingerprint fingerprint) {
  return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

Fingerprint fingerprintOf(llvm::StringRef bytes) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(bytes));
  return {hash.high64, hash.low64};
}

FingerprintBuilder &FingerprintBuilder::add(std::uint64_t value) {
  std::uint8_t encoded[8];
  llvm::support::endian::write64le(encoded, value);
  bytes_.append(std::begin(encoded), std::end(encoded));
  return *this;
}

FingerprintBuilder &FingerprintBuilder::add(llvm::StringRef text) {
  add(text.size());
  bytes_.append(text.bytes_begin(), text.bytes_end());
  return *this;
}

FingerprintBuilder &FingerprintBuilder::add(Fingerprint fingerprint) {
  return add(fingerprint.high).add(fingerprint.low);
}

Fingerprint FingerprintBuilder::finish() const { return fingerprintOf(llvm::toStringRef(bytes_)); }

} // namespace retest
