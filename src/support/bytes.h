#pragma once

#include "support/fingerprint.h"

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <string>
#include <utility>

namespace retest {

/// Writes numbers and strings as a compact run of bytes, the same on every machine.
///
/// Numbers are LEB128: seven bits per byte, lowest first, so that small ones take one byte.
class ByteWriter {
public:
  void number(std::uint64_t value);
  /// A number that may be negative, small in both directions: 0, -1, 1, -2 become 0, 1, 2, 3.
  void difference(std::int64_t value);
  void fixed64(std::uint64_t value);
  void fingerprint(Fingerprint value);
  void raw(llvm::StringRef bytes) { bytes_.append(bytes.data(), bytes.size()); }
  /// A string with its length.
  void text(llvm::StringRef text);

  const std::string &bytes() const { return bytes_; }
  /// Gives the bytes away and begins anew.
  std::string take() { return std::exchange(bytes_, {}); }

private:
  std::string bytes_;
};

/// Reads what a ByteWriter wrote, from bytes that nobody vouches for.
///
/// Invariant: it never reads past the end. The first thing that does not fit makes it fail for
/// good: from then on every read gives zero or nothing, so that loops end, and the caller asks
/// `hasFailed` once, when it is through.
class ByteReader {
public:
  explicit ByteReader(llvm::StringRef bytes) : rest_(bytes) {}

  std::uint64_t number() {
    // Most have one byte, and whole graphs are made of them.
    if (!rest_.empty() && static_cast<unsigned char>(rest_.front()) < 0x80) {
      std::uint64_t value = static_cast<unsigned char>(rest_.front());
      rest_ = rest_.drop_front();
      return value;
    }
    return longNumber();
  }
  std::uint32_t number32();
  std::int64_t difference();
  std::uint64_t fixed64();
  Fingerprint fingerprint();
  llvm::StringRef raw(std::size_t size);
  llvm::StringRef text();
  /// How many things follow, each at least `smallest` bytes long: a count that the rest cannot
  /// hold fails, so that nobody reserves memory for it.
  std::size_t count(std::size_t smallest = 1);

  void fail();
  bool hasFailed() const { return failed_; }
  bool isAtEnd() const { return rest_.empty(); }
  llvm::StringRef rest() const { return rest_; }

private:
  std::uint64_t longNumber();

  llvm::StringRef rest_;
  bool failed_ = false;
};

} // namespace retest
