#include "report/selection_json.h"

#include "report/graph_words.h"

#include <llvm/Support/JSON.h>

namespace retest {

namespace {

/// A thousand changes may speak for a test; a reader wants the first few.
constexpr std::size_t kShownReasons = 20;

class SelectionJson {
public:
  SelectionJson(llvm::json::OStream &json, const SelectionReport &report)
      : json_(json), report_(report) {}

  void head() {
    json_.attribute("schema_version", 1);
    json_.attribute("kind", wordFor(report_.kind));
    text("reason", report_.reason);
    json_.attributeObject("baseline", [&] {
      text("name", report_.baseline.name);
      text("commit", report_.baseline.commit);
      text("recorded_at", report_.baseline.recordedAt);
    });
    if (report_.knowsTests)
      json_.attribute("total", static_cast<std::int64_t>(report_.tests.size()));
    else
      json_.attribute("total", nullptr);
  }

  template <class Wanted, class Rest> void tests(llvm::StringRef key, Wanted wanted, Rest rest) {
    json_.attributeArray(key, [&] {
      for (const ReportedTest &test : report_.tests)
        if (wanted(test))
          json_.object([&] {
            json_.attribute("id", utf8(idOf(test.test)));
            json_.attribute("binary", utf8(test.test.binary));
            if (!test.test.framework && !test.test.binary.empty())
              json_.attribute("framework", nullptr); // of a new program
            else
              json_.attribute("framework", wordFor(test.test.framework));
            json_.attribute("name", utf8(nativeNameOf(test.test)));
            rest(test);
          });
    });
  }

  void verdict(const ReportedTest &test) {
    json_.attribute("verdict", wordFor(test.verdict));
    json_.attributeArray("reasons", [&] {
      for (std::uint32_t index : llvm::ArrayRef(test.reasons).take_front(kShownReasons))
        reason(report_.reasons[index]);
    });
    if (test.reasons.size() > kShownReasons)
      json_.attribute("more_reasons",
                      static_cast<std::int64_t>(test.reasons.size() - kShownReasons));
  }

  void doubts() {
    json_.attributeArray("doubts", [&] {
      for (const ReportedDoubt &doubt : report_.doubts)
        json_.object([&] {
          json_.attribute("text", utf8(doubt.text));
          text("path", doubt.path);
          if (doubt.line != 0)
            json_.attribute("line", doubt.line);
        });
    });
  }

  void uncovered() {
    json_.attributeArray("uncovered", [&] {
      for (const UncoveredChange &change : report_.uncovered)
        json_.object([&] {
          json_.attribute("function", utf8(change.function));
          text("path", change.path);
          if (change.line != 0)
            json_.attribute("line", change.line);
          json_.attribute("text", utf8(change.text));
        });
    });
  }

  void quarantined() {
    json_.attributeArray("quarantined", [&] {
      for (const QuarantinedTest &test : report_.quarantined)
        json_.object([&] {
          json_.attribute("id", utf8(test.id));
          json_.attribute("until", test.until);
          text("reason", test.reason);
        });
    });
  }

private:
  void text(llvm::StringRef key, const std::string &value) {
    if (value.empty())
      json_.attribute(key, nullptr);
    else
      json_.attribute(key, utf8(value));
  }

  void reason(const ReportedReason &reason) {
    json_.object([&] {
      json_.attribute("rule", reason.rule);
      if (!reason.path.empty())
        json_.attribute(
            "change",
            utf8(reason.line != 0 ? reason.path + ":" + std::to_string(reason.line) : reason.path));
      if (!reason.function.empty())
        json_.attribute("function", utf8(reason.function));
      if (!reason.edge.empty())
        json_.attribute("edge", utf8(reason.edge));
      if (!reason.edits.empty())
        json_.attributeArray("edits", [&] {
          for (const EditedPlace &edit : reason.edits)
            json_.value(utf8(placesText({edit})));
        });
      json_.attribute("text", utf8(reason.text));
    });
  }

  llvm::json::OStream &json_;
  const SelectionReport &report_;
};

} // namespace

llvm::StringRef wordFor(std::optional<Framework> framework) {
  if (!framework)
    return "ctest";
  switch (*framework) {
  case Framework::GoogleTest:
    return "gtest";
  case Framework::Catch2:
    return "catch2";
  case Framework::Doctest:
    return "doctest";
  case Framework::BoostTest:
    return "boost";
  }
  llvm_unreachable("all frameworks are named");
}

void writeSelectionJson(llvm::raw_ostream &out, const SelectionReport &report) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    SelectionJson parts(json, report);
    parts.head();
    auto nothing = [](const ReportedTest &) {};
    parts.tests("selected", isSelected, [&](const ReportedTest &test) { parts.verdict(test); });
    parts.tests(
        "skipped", [](const ReportedTest &test) { return test.verdict == Verdict::Skipped; },
        nothing);
    parts.tests(
        "disabled", [](const ReportedTest &test) { return test.verdict == Verdict::Disabled; },
        nothing);
    parts.doubts();
    parts.uncovered();
    parts.quarantined();
  });
  out << "\n";
}

} // namespace retest
