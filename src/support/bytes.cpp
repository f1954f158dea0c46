#include "support/bytes.h"

#include <llvm/Support/Endian.h>

namespace retest {

void ByteWriter::number(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void ByteWriter::difference(std::int64_t value) {
  std::uint64_t bits = static_cast<std::uint64_t>(value);
  number((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

void ByteWriter::fixed64(std::uint64_t value) {
  char encoded[8];
  llvm::support::endian::write64le(encoded, value);
  bytes_.append(encoded, sizeof encoded);
}

void ByteWriter::fingerprint(Fingerprint value) {
  fixed64(value.high);
  fixed64(value.low);
}

void ByteWriter::text(llvm::StringRef text) {
  number(text.size());
  raw(text);
}

std::uint64_t ByteReader::longNumber() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    std::uint64_t byte = static_cast<unsigned char>(rest_.front());
    std::uint64_t part = byte & 0x7f;
    if ((part << shift) >> shift != part)
      break;
    value |= part << shift;
    rest_ = rest_.drop_front();
    if (byte < 0x80)
      return value;
  }
  fail();
  return 0;
}

std::uint32_t ByteReader::number32() {
  std::uint64_t value = number();
  if (value <= UINT32_MAX)
    return static_cast<std::uint32_t>(value);
  fail();
  return 0;
}

std::int64_t ByteReader::difference() {
  std::uint64_t bits = number();
  return static_cast<std::int64_t>((bits >> 1) ^ (bits & 1 ? ~std::uint64_t{0} : 0));
}

std::uint64_t ByteReader::fixed64() {
  llvm::StringRef bytes = raw(8);
  return bytes.empty() ? 0 : llvm::support::endian::read64le(bytes.data());
}

Fingerprint ByteReader::fingerprint() {
  std::uint64_t high = fixed64();
  return {high, fixed64()};
}

llvm::StringRef ByteReader::raw(std::size_t size) {
  if (size > rest_.size()) {
    fail();
    return {};
  }
  llvm::StringRef bytes = rest_.take_front(size);
  rest_ = rest_.drop_front(size);
  return bytes;
}

llvm::StringRef ByteReader::text() { return raw(count()); }

std::size_t ByteReader::count(std::size_t smallest) {
  std::uint64_t value = number();
  if (value <= rest_.size() / smallest)
    return value;
  fail();
  return 0;
}

void ByteReader::fail() {
  failed_ = true;
  rest_ = {};
}

} // namespace retest
