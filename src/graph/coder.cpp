#include "graph/coder.h"

#include "support/error.h"

namespace retest {

Encoder::Encoder(const Names &names, NameId self, SourcePosition where)
    : names_(names), startLine_(where.line), base_(where.file, where.line) {
  body_.number(kEncodingVersion);
  tableSize_ = 1;
  table_.text(names_.text(self));
  if (self.isValid())
    references_[self.value] = tableSize_;
  name(where.file);
}

// A name is a number: 0 for none, else its place in the table, from 1.
void Encoder::name(NameId id) {
  if (!id.isValid())
    return body_.number(0);
  auto [entry, isNew] = references_.try_emplace(id.value, tableSize_ + 1);
  if (isNew) {
    ++tableSize_;
    table_.text(names_.text(id));
  }
  body_.number(entry->second);
}

void Encoder::position(const SourcePosition &position) {
  bool isOtherFile = position.file != base_.file();
  if (isOtherFile)
    base_.moveToFile(position.file);
  std::int64_t step = position.line == 0 ? 0 : std::int64_t{position.line} - base_.line();
  body_.difference(step * 4 + (position.line == 0 ? kNoLine : 0) + (isOtherFile ? kOtherFile : 0));
  if (isOtherFile)
    name(position.file);
  if (position.line != 0)
    base_.moveToLine(position.line);
  body_.number(position.column);
}

Encoded Encoder::finish() {
  return {table_.take(), body_.take(), fingerprints_.take(), startLine_};
}

namespace {

std::uint64_t readVersion(ByteReader &body) {
  std::uint64_t version = body.number();
  if (version < kOldestEncoding || version > kEncodingVersion)
    body.fail();
  return version;
}

} // namespace

Decoder::Decoder(EncodedRef bytes, Names &names)
    : body_(bytes.structure), fingerprints_(bytes.fingerprints), base_(NameId{}, 0) {
  version_ = readVersion(body_);
  ByteReader table(bytes.names);
  while (!table.isAtEnd()) {
    llvm::StringRef text = table.text();
    if (table.hasFailed())
      body_.fail();
    else
      table_.push_back(names.intern(text));
  }
  NameId ownFile;
  name(ownFile);
  base_ = LineBase(ownFile, bytes.startLine);
}

void Decoder::name(NameId &id) {
  std::uint64_t reference = body_.number();
  if (reference > table_.size())
    return body_.fail();
  id = reference == 0 ? NameId{} : table_[reference - 1];
}

void Decoder::index(std::uint32_t &value, std::uint32_t base, std::size_t size) {
  std::int64_t step = body_.difference();
  // The step may be any number: compare before adding.
  if (step < -std::int64_t{base} || step >= static_cast<std::int64_t>(size) - std::int64_t{base})
    return body_.fail();
  value = static_cast<std::uint32_t>(base + step);
}

namespace {

/// `Reader` is a Decoder or a LineScanner.
template <class Reader>
void decodePosition(Reader &reader, ByteReader &body, LineBase &base, SourcePosition &position) {
  std::int64_t first = body.difference();
  unsigned bits = static_cast<unsigned>(first & 3);
  if (bits & kOtherFile) {
    NameId file;
    reader.name(file);
    base.moveToFile(file);
  }
  position.file = base.file();
  position.line = 0;
  if (!(bits & kNoLine)) {
    std::int64_t step = first >> 2;
    if (step < -std::int64_t{base.line()} || step > std::int64_t{UINT32_MAX} - base.line())
      return body.fail();
    position.line = static_cast<std::uint32_t>(base.line() + step);
    base.moveToLine(position.line);
  }
  position.column = body.number32();
}

} // namespace

void Decoder::position(SourcePosition &position) { decodePosition(*this, body_, base_, position); }

llvm::Error Decoder::finish(const char *what) const {
  if (body_.hasFailed() || fingerprints_.hasFailed() || !body_.isAtEnd() ||
      !fingerprints_.isAtEnd())
    return error(ErrorKind::Store, "the stored {} is damaged", what);
  return llvm::Error::success();
}

LineScanner::LineScanner(EncodedRef bytes, llvm::StringRef file, std::uint32_t line)
    : body_(bytes.structure), base_(NameId{}, 0), line_(line) {
  version_ = readVersion(body_);
  ByteReader table(bytes.names);
  for (std::uint32_t place = 1; !table.isAtEnd() && !file_.isValid(); ++place)
    if (table.text() == file && !table.hasFailed())
      file_ = NameId{place};
  NameId ownFile;
  name(ownFile);
  base_ = LineBase(ownFile, bytes.startLine);
}

void LineScanner::name(NameId &id) {
  std::uint32_t reference = body_.number32();
  id = reference == 0 ? NameId{} : NameId{reference};
}

void LineScanner::position(SourcePosition &position) {
  decodePosition(*this, body_, base_, position);
}

} // namespace retest
