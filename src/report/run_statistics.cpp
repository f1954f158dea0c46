#include "report/run_statistics.h"

#include "report/graph_words.h"
#include "report/text_cells.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/JSON.h>

namespace retest {

namespace {

double seconds(std::chrono::microseconds time) {
  return std::chrono::duration<double>(time).count();
}

std::string share(double part, double whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f} %", 100 * part / whole);
}

void add(RunStatistics::Runs &runs, const HistoryEntry &entry) {
  ++runs.count;
  runs.subset += entry.kind == "subset";
  runs.none += entry.kind == "none";
  runs.all += entry.kind == "all";
  runs.tests += entry.total;
  runs.selected += entry.selected;
  runs.ran += entry.ran;
  runs.failed += entry.failed;
  runs.selecting += entry.selecting;
  runs.ranTime += entry.ranTime;
  runs.savedTime += entry.savedTime;
}

void writeRuns(llvm::raw_ostream &out, const RunStatistics::Runs &runs) {
  out << fmt::format("runs      {}: {} of a part of the tests, {} of none, {} of all\n", runs.count,
                     runs.subset, runs.none, runs.all);
  out << fmt::format("tests     {} of {} ran ({}); {} failed\n", runs.ran, runs.tests,
                     share(static_cast<double>(runs.ran), static_cast<double>(runs.tests)),
                     runs.failed);
  double ran = seconds(runs.ranTime), saved = seconds(runs.savedTime);
  out << fmt::format("time      {:.2f} s in tests, {:.2f} s saved ({}), {:.2f} s to select\n", ran,
                     saved, share(saved, ran + saved), seconds(runs.selecting));
}

void writeShadows(llvm::raw_ostream &out, const RunStatistics &statistics) {
  const RunStatistics::Runs &runs = statistics.shadows;
  double all = seconds(runs.ranTime), saved = seconds(runs.savedTime);
  out << fmt::format("shadow    {} {}: {} of {} tests were selected ({}), which would have saved "
                     "{:.2f} s of {:.2f} s ({})\n",
                     runs.count, runs.count == 1 ? "run" : "runs", runs.selected, runs.tests,
                     share(static_cast<double>(runs.selected), static_cast<double>(runs.tests)),
                     saved, all, share(saved, all));
  out << fmt::format("outcomes  {} changed: {} caught, {} escaped\n",
                     statistics.caught + statistics.escaped, statistics.caught, statistics.escaped);
}

void writeJson(llvm::json::OStream &json, const RunStatistics::Runs &runs) {
  auto number = [&](llvm::StringRef key, std::uint64_t value) {
    json.attribute(key, static_cast<std::int64_t>(value));
  };
  number("count", runs.count);
  number("subset", runs.subset);
  number("none", runs.none);
  number("all", runs.all);
  number("tests", runs.tests);
  number("selected", runs.selected);
  number("ran", runs.ran);
  number("failed", runs.failed);
  json.attribute("selecting_seconds", seconds(runs.selecting));
  json.attribute("ran_seconds", seconds(runs.ranTime));
  json.attribute("saved_seconds", seconds(runs.savedTime));
}

} // namespace

RunStatistics statisticsOf(llvm::ArrayRef<HistoryEntry> history) {
  RunStatistics statistics;
  for (const HistoryEntry &entry : history) {
    add(entry.command == "shadow" ? statistics.shadows : statistics.runs, entry);
    statistics.caught += entry.caught;
    statistics.escaped += entry.escaped;
    if (!entry.reason.empty())
      ++statistics.fallbacks[entry.reason];
    for (const auto &[rule, tests] : entry.rules) {
      ++statistics.rules[rule].runs;
      statistics.rules[rule].tests += tests;
    }
  }
  return statistics;
}

void writeStatisticsText(llvm::raw_ostream &out, const RunStatistics &statistics) {
  if (statistics.runs.count != 0)
    writeRuns(out, statistics.runs);
  if (statistics.shadows.count != 0)
    writeShadows(out, statistics);
  if (!statistics.rules.empty())
    out << "what spoke for tests:\n";
  for (const auto &[rule, counts] : statistics.rules)
    out << fmt::format("    {:<16} {} {} in {} {}\n", oneLine(rule), counts.tests,
                       counts.tests == 1 ? "test" : "tests", counts.runs,
                       counts.runs == 1 ? "run" : "runs");
  if (!statistics.fallbacks.empty())
    out << "all tests, because it could not be told:\n";
  for (const auto &[reason, count] : statistics.fallbacks)
    out << fmt::format("    {} times: {}\n", count, oneLine(reason));
}

void writeStatisticsJson(llvm::raw_ostream &out, const RunStatistics &statistics) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attributeObject("runs", [&] { writeJson(json, statistics.runs); });
    json.attributeObject("shadows", [&] { writeJson(json, statistics.shadows); });
    json.attribute("caught", static_cast<std::int64_t>(statistics.caught));
    json.attribute("escaped", static_cast<std::int64_t>(statistics.escaped));
    json.attributeArray("rules", [&] {
      for (const auto &[rule, counts] : statistics.rules)
        json.object([&] {
          json.attribute("rule", utf8(rule));
          json.attribute("runs", static_cast<std::int64_t>(counts.runs));
          json.attribute("tests", static_cast<std::int64_t>(counts.tests));
        });
    });
    json.attributeArray("fallbacks", [&] {
      for (const auto &[reason, count] : statistics.fallbacks)
        json.object([&] {
          json.attribute("reason", utf8(reason));
          json.attribute("runs", static_cast<std::int64_t>(count));
        });
    });
  });
  out << "\n";
}

} // namespace retest
