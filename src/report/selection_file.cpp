#include "report/selection_file.h"

#include "support/bytes.h"
#include "support/error.h"

namespace retest {

namespace {

constexpr std::uint64_t kFormat = 3;
constexpr llvm::StringLiteral kMagic = "retest selection\n";

// The format, told once for both directions.

class ReportWriter {
public:
  void number(std::uint64_t value) { bytes_.number(value); }
  void text(const std::string &value) { bytes_.text(value); }
  template <class Choice> void choice(Choice value, Choice) {
    bytes_.number(static_cast<std::uint64_t>(value));
  }
  void fingerprint(Fingerprint value) { bytes_.fingerprint(value); }
  template <class T, class Each> void list(const std::vector<T> &values, const Each &each) {
    bytes_.number(values.size());
    for (const T &value : values)
      each(value);
  }
  template <class T, class Each> void maybe(const std::optional<T> &value, const Each &each) {
    bytes_.number(value ? 1 : 0);
    if (value)
      each(*value);
  }

  ByteWriter bytes_;
};

class ReportReader {
public:
  explicit ReportReader(llvm::StringRef bytes) : bytes_(bytes) {}

  template <class Number> void number(Number &value) {
    std::uint64_t read = bytes_.number();
    value = static_cast<Number>(read);
    if (static_cast<std::uint64_t>(value) != read)
      bytes_.fail();
  }
  void text(std::string &value) { value = bytes_.text().str(); }
  template <class Choice> void choice(Choice &value, Choice last) {
    std::uint64_t read = bytes_.number();
    if (read > static_cast<std::uint64_t>(last))
      return bytes_.fail();
    value = static_cast<Choice>(read);
  }
  void fingerprint(Fingerprint &value) { value = bytes_.fingerprint(); }
  template <class T, class Each> void list(std::vector<T> &values, const Each &each) {
    values.resize(bytes_.count());
    for (T &value : values)
      each(value);
  }
  template <class T, class Each> void maybe(std::optional<T> &value, const Each &each) {
    if (bytes_.number() == 0)
      return;
    value.emplace();
    each(*value);
  }

  ByteReader bytes_;
};

template <class Coder, class List> void codeTexts(Coder &coder, List &texts) {
  coder.list(texts, [&](auto &text) { coder.text(text); });
}

template <class Coder, class List> void codeNumbers(Coder &coder, List &numbers) {
  coder.list(numbers, [&](auto &number) { coder.number(number); });
}

/// Without what it did with files, which is in the store.
template <class Coder, class Test> void codeTest(Coder &coder, Test &test) {
  coder.text(test.binary);
  coder.text(test.name);
  coder.maybe(test.framework,
              [&](auto &framework) { coder.choice(framework, Framework::BoostTest); });
  coder.text(test.suite);
  coder.text(test.file);
  coder.number(test.line);
  coder.maybe(test.native, [&](auto &native) {
    coder.text(native.name);
    coder.number(native.isDisabled);
    coder.number(native.bringsOthers);
  });
  codeTexts(coder, test.entries);
  coder.fingerprint(test.settings);
  coder.choice(test.status, TestStatus::NotRun);
  auto duration = test.duration.count();
  coder.number(duration);
  if constexpr (!std::is_const_v<Test>)
    test.duration = std::chrono::microseconds(duration);
  coder.text(test.unmeasured);
  codeTexts(coder, test.programs);
}

template <class Coder, class Report> void codeReport(Coder &coder, Report &report) {
  coder.choice(report.kind, SelectionKind::All);
  coder.text(report.reason);
  coder.text(report.baseline.name);
  coder.text(report.baseline.commit);
  coder.text(report.baseline.recordedAt);
  coder.number(report.knowsTests);
  coder.list(report.tests, [&](auto &test) {
    codeTest(coder, test.test);
    coder.choice(test.verdict, Verdict::Disabled);
    codeNumbers(coder, test.reasons);
    codeNumbers(coder, test.near);
  });
  coder.list(report.reasons, [&](auto &reason) {
    for (auto *text : {&reason.rule, &reason.path, &reason.function, &reason.edge, &reason.text})
      coder.text(*text);
    coder.number(reason.line);
    coder.maybe(reason.excerpt, [&](auto &excerpt) { coder.number(excerpt); });
    coder.list(reason.edits, [&](auto &place) {
      coder.text(place.path);
      for (auto *range : {&place.current, &place.baseline}) {
        coder.number(range->begin);
        coder.number(range->end);
      }
    });
  });
  codeTexts(coder, report.excerpts);
  codeTexts(coder, report.open);
  coder.list(report.doubts, [&](auto &doubt) {
    coder.text(doubt.text);
    coder.text(doubt.path);
    coder.number(doubt.line);
  });
  coder.list(report.uncovered, [&](auto &change) {
    coder.text(change.function);
    coder.text(change.path);
    coder.number(change.line);
    coder.text(change.text);
  });
  coder.list(report.quarantined, [&](auto &test) {
    for (auto *text : {&test.id, &test.until, &test.reason})
      coder.text(*text);
  });
}

/// Whether each index is one.
bool isConsistent(const SelectionReport &report) {
  auto areReasons = [&](const std::vector<std::uint32_t> &indices) {
    return llvm::all_of(indices, [&](std::uint32_t i) { return i < report.reasons.size(); });
  };
  return llvm::all_of(report.tests,
                      [&](const ReportedTest &test) {
                        return areReasons(test.reasons) && areReasons(test.near);
                      }) &&
         llvm::all_of(report.reasons, [&](const ReportedReason &reason) {
           return !reason.excerpt || *reason.excerpt < report.excerpts.size();
         });
}

} // namespace

std::string encodeReport(const SelectionReport &report) {
  ReportWriter writer;
  writer.bytes_.raw(kMagic);
  writer.number(kFormat);
  codeReport(writer, report);
  return writer.bytes_.take();
}

llvm::Expected<SelectionReport> decodeReport(llvm::StringRef text) {
  if (!text.consume_front(kMagic))
    return error("not a selection");
  ReportReader reader(text);
  std::uint64_t format = 0;
  reader.number(format);
  if (format != kFormat)
    return error("a selection of another version of retest");
  SelectionReport report;
  codeReport(reader, report);
  if (reader.bytes_.hasFailed() || !reader.bytes_.isAtEnd() || !isConsistent(report))
    return error("a damaged selection");
  return report;
}

} // namespace retest
