#include "db/coverage_bytes.h"

#include "db/compress.h"
#include "support/bytes.h"
#include "support/error.h"

namespace retest {
namespace {

constexpr int kLevel = 9;

llvm::Error unreadable(const char *what) {
  return error(ErrorKind::Store, "{} cannot be read", what);
}

/// Tests one by one: each as the step from the one before.
std::string encodeSteps(const TestSet &tests) {
  ByteWriter bytes;
  bytes.number(tests.size() * 2);
  std::uint32_t next = 0;
  for (TestId test : tests) {
    bytes.number(test.value - next);
    next = test.value + 1;
  }
  return bytes.take();
}

/// Tests as runs of neighbours, such as all tests of a program: gap and length of each.
std::string encodeRuns(const TestSet &tests) {
  ByteWriter runs;
  std::uint64_t count = 0;
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < tests.size();) {
    std::size_t end = i + 1;
    while (end < tests.size() && tests[end].value == tests[end - 1].value + 1)
      ++end;
    runs.number(tests[i].value - next);
    runs.number(end - i - 1);
    next = tests[end - 1].value + 1;
    ++count;
    i = end;
  }
  ByteWriter bytes;
  bytes.number(count * 2 + 1);
  bytes.raw(runs.bytes());
  return bytes.take();
}

std::string encodeClass(const TestSet &tests) {
  std::string steps = encodeSteps(tests), runs = encodeRuns(tests);
  return runs.size() < steps.size() ? runs : steps;
}

/// The class of the edge comes after that of the edge before it: most are the same.
void encodeEdges(ByteWriter &bytes, const FunctionCoverage &row) {
  bytes.number(row.edges.size());
  std::int64_t last = row.entry.value;
  for (std::size_t i = 0; i < row.edges.size();) {
    std::size_t end = i + 1;
    while (end < row.edges.size() && row.edges[end] == row.edges[i])
      ++end;
    bytes.difference(std::int64_t{row.edges[i].value} - last);
    bytes.number(end - i - 1);
    last = row.edges[i].value;
    i = end;
  }
}

/// A number that is `step` away from `last`, or a failure if it is not below `limit`.
std::uint32_t stepped(ByteReader &reader, std::int64_t last, std::uint32_t limit) {
  std::int64_t step = reader.difference();
  if (step < -last || step >= std::int64_t{limit} - last) {
    reader.fail();
    return 0;
  }
  return static_cast<std::uint32_t>(last + step);
}

void decodeEdges(ByteReader &reader, FunctionCoverage &row, std::uint32_t classCount,
                 std::uint64_t &edgesLeft) {
  std::uint64_t count = reader.number();
  if (count > edgesLeft)
    return reader.fail();
  edgesLeft -= count;
  row.edges.reserve(count);
  std::uint32_t last = row.entry.value;
  while (row.edges.size() < count && !reader.hasFailed()) {
    last = stepped(reader, last, classCount);
    std::uint64_t more = reader.number();
    if (more >= count - row.edges.size())
      return reader.fail();
    row.edges.insert(row.edges.end(), more + 1, CoverageClassId{last});
  }
}

} // namespace

std::string encodeClasses(llvm::ArrayRef<TestSet> classes) {
  ByteWriter sizes, sets;
  sizes.number(classes.size());
  for (const TestSet &tests : classes) {
    std::string bytes = encodeClass(tests);
    sizes.number(bytes.size());
    sets.raw(bytes);
  }
  sizes.raw(sets.bytes());
  return compressed(sizes.bytes(), kLevel);
}

llvm::Expected<ClassRow> ClassRow::read(llvm::StringRef bytes) {
  auto plain = decompressed(bytes);
  if (!plain)
    return plain.takeError();
  ClassRow row;
  row.bytes_ = std::move(*plain);
  ByteReader reader(row.bytes_);
  row.parts_.resize(reader.count());
  for (Part &part : row.parts_)
    part.size = reader.number();
  std::size_t begin = row.bytes_.size() - reader.rest().size();
  for (Part &part : row.parts_) {
    if (part.size > row.bytes_.size() - begin)
      return unreadable("a row of coverage classes");
    part.begin = begin;
    begin += part.size;
  }
  if (reader.hasFailed() || begin != row.bytes_.size() || row.parts_.size() > kClassesPerRow)
    return unreadable("a row of coverage classes");
  return row;
}

llvm::Expected<TestSet> ClassRow::decode(std::size_t place, std::uint32_t testCount) const {
  if (place >= parts_.size())
    return error(ErrorKind::Store, "a coverage class is missing");
  const Part &part = parts_[place];
  ByteReader reader(llvm::StringRef(bytes_).substr(part.begin, part.size));
  std::uint64_t header = reader.number();
  bool isRuns = header % 2 != 0;
  TestSet tests;
  std::uint64_t next = 0;
  for (std::uint64_t count = header / 2; count > 0 && !reader.hasFailed(); --count) {
    // Both are far below 2^64 once they are compared with the count of tests.
    std::uint64_t gap = reader.number(), more = isRuns ? reader.number() : 0;
    if (gap >= testCount - next || more >= testCount - next - gap) {
      reader.fail();
      break;
    }
    for (next += gap;; --more) {
      tests.push_back({static_cast<std::uint32_t>(next++)});
      if (more == 0)
        break;
    }
  }
  if (reader.hasFailed() || !reader.isAtEnd())
    return unreadable("a coverage class");
  return tests;
}

std::string encodeUnitCoverage(const UnitCoverage &unit) {
  ByteWriter bytes;
  bytes.number(unit.functions.size());
  std::int64_t lastEntry = 0;
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < unit.functions.size(); ++i) {
    const FunctionCoverage &row = unit.rows[i];
    bytes.number(unit.functions[i] - next);
    next = unit.functions[i] + 1;
    bytes.difference(row.entry.value - lastEntry);
    lastEntry = row.entry.value;
    encodeEdges(bytes, row);
  }
  return compressed(bytes.bytes(), kLevel);
}

llvm::Expected<UnitCoverage> decodeUnitCoverage(llvm::StringRef bytes, std::uint32_t classCount) {
  auto plain = decompressed(bytes);
  if (!plain)
    return plain.takeError();
  ByteReader reader(*plain);
  UnitCoverage unit;
  std::size_t count = reader.count(3);
  std::uint64_t edgesLeft = kMostEdges, next = 0;
  std::uint32_t lastEntry = 0;
  for (; count > 0 && !reader.hasFailed(); --count) {
    next += reader.number32();
    FunctionCoverage row;
    row.entry = {lastEntry = stepped(reader, lastEntry, classCount)};
    decodeEdges(reader, row, classCount, edgesLeft);
    if (next >= UINT32_MAX)
      reader.fail();
    unit.functions.push_back(static_cast<std::uint32_t>(next++));
    unit.rows.push_back(std::move(row));
  }
  if (reader.hasFailed() || !reader.isAtEnd())
    return unreadable("the coverage of a unit");
  return unit;
}

std::string encodeCounted(llvm::ArrayRef<std::uint32_t> places) {
  if (places.empty())
    return "";
  ByteWriter runs;
  std::uint64_t count = 0;
  std::uint32_t next = 0;
  while (!places.empty()) {
    std::size_t length = 1;
    while (length < places.size() && places[length] == places[length - 1] + 1)
      ++length;
    runs.number(places.front() - next);
    runs.number(length - 1);
    next = places[length - 1] + 1;
    ++count;
    places = places.drop_front(length);
  }
  ByteWriter bytes;
  bytes.number(count);
  bytes.raw(runs.bytes());
  return compressed(bytes.bytes(), kLevel);
}

llvm::Expected<std::vector<std::uint32_t>> decodeCounted(llvm::StringRef bytes) {
  std::vector<std::uint32_t> places;
  if (bytes.empty())
    return places;
  auto plain = decompressed(bytes);
  if (!plain)
    return plain.takeError();
  ByteReader reader(*plain);
  std::uint64_t next = 0;
  for (std::size_t count = reader.count(2); count > 0 && !reader.hasFailed(); --count) {
    std::uint64_t begin = next + reader.number32(), end = begin + reader.number32() + 1;
    if (end > kMostFunctions) {
      reader.fail();
      break;
    }
    for (next = begin; next < end; ++next)
      places.push_back(static_cast<std::uint32_t>(next));
  }
  if (reader.hasFailed() || !reader.isAtEnd())
    return unreadable("the functions of a unit that have counters");
  return places;
}

std::string encodeConstructed(llvm::ArrayRef<ClassCoverage> classes) {
  ByteWriter bytes;
  bytes.number(classes.size());
  for (const ClassCoverage &type : classes) {
    bytes.text(type.name);
    bytes.number(type.constructed.value);
  }
  return compressed(bytes.bytes(), kLevel);
}

llvm::Expected<std::vector<ClassCoverage>> decodeConstructed(llvm::StringRef bytes,
                                                             std::uint32_t classCount) {
  auto plain = decompressed(bytes);
  if (!plain)
    return plain.takeError();
  ByteReader reader(*plain);
  std::vector<ClassCoverage> classes(reader.count(2));
  for (ClassCoverage &type : classes) {
    type.name = reader.text().str();
    type.constructed = {reader.number32()};
    if (type.constructed.value >= classCount)
      reader.fail();
  }
  if (reader.hasFailed() || !reader.isAtEnd())
    return unreadable("a row of constructed classes");
  return classes;
}

std::string encodeTexts(const std::vector<std::string> &texts) {
  ByteWriter bytes;
  bytes.number(texts.size());
  for (const std::string &text : texts)
    bytes.text(text);
  return bytes.take();
}

llvm::Expected<std::vector<std::string>> decodeTexts(llvm::StringRef bytes) {
  ByteReader reader(bytes);
  std::vector<std::string> texts(reader.count());
  for (std::string &text : texts)
    text = reader.text().str();
  if (reader.hasFailed() || !reader.isAtEnd())
    return unreadable("a list of names");
  return texts;
}

} // namespace retest
