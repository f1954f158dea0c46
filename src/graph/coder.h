#pragma once

#include "graph/encode.h"
#include "support/bytes.h"

#include <llvm/ADT/DenseMap.h>

#include <vector>

namespace retest {

/// The two directions of the encoding. They have the same interface, so that `encode.cpp` tells
/// the format of each value once (`codeNode(coder, node)`): an Encoder reads the value and
/// appends bytes, a Decoder takes bytes and fills the value in.
///
/// Lines are coded against the line before them in the same file. The first of the value's own
/// file counts from the start line; the first after a change to another file, where macros are
/// written, from 0.
class LineBase {
public:
  LineBase(NameId ownFile, std::uint32_t startLine)
      : ownFile_(ownFile), startLine_(startLine), file_(ownFile), line_(startLine) {}

  NameId file() const { return file_; }
  std::uint32_t line() const { return line_; }
  void moveToFile(NameId file) {
    file_ = file;
    line_ = file == ownFile_ ? startLine_ : 0;
  }
  void moveToLine(std::uint32_t line) { line_ = line; }

private:
  NameId ownFile_;
  std::uint32_t startLine_;
  NameId file_;
  std::uint32_t line_;
};

// The lowest bits of a position's first number; above them is the difference of lines.
inline constexpr unsigned kOtherFile = 1; ///< the name of a file follows
inline constexpr unsigned kNoLine = 2;    ///< the line is 0, whatever the base is

class Encoder {
public:
  /// `self` and `where` are the name and place of the value itself. Its name is the first of
  /// the table, its file and line are the base of all other positions.
  Encoder(const Names &names, NameId self, SourcePosition where);

  void name(NameId id);
  void text(const std::string &text) { body_.text(text); }
  void number(std::uint32_t value) { body_.number(value); }
  /// A number close to `base` in a table of `size` entries.
  void index(std::uint32_t value, std::uint32_t base, std::size_t) {
    body_.difference(std::int64_t{value} - base);
  }
  template <class Choice> void choice(Choice value, Choice) {
    body_.number(static_cast<std::uint64_t>(value));
  }
  template <class... Flags> void flags(Flags... flags) {
    std::uint64_t bits = 0;
    unsigned shift = 0;
    ((bits |= std::uint64_t{flags} << shift++), ...);
    body_.number(bits);
  }
  void hash(std::uint64_t value) { fingerprints_.fixed64(value); }
  void hash(Fingerprint value) { fingerprints_.fingerprint(value); }
  void position(const SourcePosition &position);
  template <class T, class Each>
  void list(const std::vector<T> &values, std::size_t, const Each &each) {
    body_.number(values.size());
    for (const T &value : values)
      each(value);
  }

  llvm::StringRef textOf(NameId name) const { return names_.text(name); }
  std::uint64_t version() const { return kEncodingVersion; }

  Encoded finish();

private:
  const Names &names_;
  std::uint32_t startLine_;
  LineBase base_;
  llvm::SmallDenseMap<std::uint32_t, std::uint32_t, 32> references_;
  std::uint32_t tableSize_ = 0;
  ByteWriter table_;
  ByteWriter body_;
  ByteWriter fingerprints_;
};

class Decoder {
public:
  Decoder(EncodedRef bytes, Names &names);

  void name(NameId &id);
  void text(std::string &text) { text = body_.text().str(); }
  void number(std::uint32_t &value) { value = body_.number32(); }
  void index(std::uint32_t &value, std::uint32_t base, std::size_t size);
  template <class Choice> void choice(Choice &value, Choice last) {
    std::uint64_t number = body_.number();
    if (number > static_cast<std::uint64_t>(last))
      return body_.fail();
    value = static_cast<Choice>(number);
  }
  template <class... Flags> void flags(Flags &...flags) {
    std::uint64_t bits = body_.number();
    unsigned shift = 0;
    ((flags = (bits >> shift++) & 1), ...);
    if (bits >> shift != 0)
      body_.fail();
  }
  void hash(std::uint64_t &value) { value = fingerprints_.fixed64(); }
  void hash(Fingerprint &value) { value = fingerprints_.fingerprint(); }
  void position(SourcePosition &position);
  template <class T, class Each>
  void list(std::vector<T> &values, std::size_t smallest, const Each &each) {
    values.resize(body_.count(smallest));
    for (T &value : values)
      each(value);
  }

  std::uint64_t version() const { return version_; }

  /// Whether everything was there, and nothing more.
  llvm::Error finish(const char *what) const;

private:
  ByteReader body_;
  std::uint64_t version_ = 0;
  ByteReader fingerprints_;
  LineBase base_;
  std::vector<NameId> table_;
};

/// A Decoder that keeps nothing: it looks whether a range of the value is on a line of a file.
/// Names are their places in the table, entries of lists are read into one value. Not all damage is
/// seen.
class LineScanner {
public:
  LineScanner(EncodedRef bytes, llvm::StringRef file, std::uint32_t line);

  void name(NameId &id);
  void text(std::string &) { body_.text(); }
  void number(std::uint32_t &) { body_.number(); }
  void index(std::uint32_t &, std::uint32_t, std::size_t) { body_.number(); }
  template <class Choice> void choice(Choice &, Choice) { body_.number(); }
  template <class... Flags> void flags(Flags &...) { body_.number(); }
  template <class Hash> void hash(Hash &) {}
  void position(SourcePosition &position);
  void look(const SourceRange &range) { isFound_ |= range.isOnLine(file_, line_); }
  template <class T, class Each>
  void list(std::vector<T> &, std::size_t smallest, const Each &each) {
    T value;
    for (std::size_t left = body_.count(smallest); left > 0 && !body_.hasFailed(); --left)
      each(value);
  }

  std::uint64_t version() const { return version_; }

  /// Yes also if the bytes do not come to a proper end: whoever decodes them finds out.
  bool isFound() const { return isFound_ || body_.hasFailed() || !body_.isAtEnd(); }

private:
  ByteReader body_;
  std::uint64_t version_ = 0;
  LineBase base_;
  NameId file_;
  std::uint32_t line_;
  bool isFound_ = false;
};

} // namespace retest
