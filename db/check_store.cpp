#include "db/baseline_rows.h"
#include "db/coverage_reader.h"
#include "db/packs.h"
#include "db/valid_matrix.h"

namespace retest {
namespace {

/// An error unless the rows of a unit's coverage fit its functions.
llvm::Error checkFunctions(const UnitCoverage &coverage, const UnitGraph &graph) {
  for (std::size_t i = 0; i < coverage.functions.size(); ++i) {
    std::uint32_t place = coverage.functions[i];
    if (place >= graph.functions.size() ||
        graph.functions[place].flow.edges.size() != coverage.rows[i].edges.size())
      return error(ErrorKind::Store, "the coverage of {} does not fit its functions",
                   coverage.unit);
  }
  if (!coverage.counted.empty() && coverage.counted.back() >= graph.functions.size())
    return error(ErrorKind::Store, "the coverage of {} does not fit its functions", coverage.unit);
  return llvm::Error::success();
}

llvm::Error checkCoverage(Connection &connection, const Baseline &baseline) {
  auto reader = CoverageReader::open(connection, baseline.id);
  if (!reader)
    return reader.takeError();
  if (!*reader)
    return llvm::Error::success();
  auto matrix = (*reader)->whole();
  if (!matrix)
    return matrix.takeError();
  if (llvm::Error wrong = validate(*matrix))
    return wrong;
  auto unit = baseline.units.begin(); // both are sorted by name
  for (const UnitCoverage &coverage : matrix->units) {
    while (unit != baseline.units.end() && unit->name < coverage.unit)
      ++unit;
    if (unit == baseline.units.end() || unit->name != coverage.unit)
      return error(ErrorKind::Store, "{}: has coverage, but is no unit of the baseline",
                   coverage.unit);
    if (llvm::Error wrong = checkFunctions(coverage, unit->graph))
      return wrong;
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error Store::check() {
  return guarded(connection_->path, [&]() -> llvm::Error {
    SQLite::Transaction snapshot(connection_->database);
    std::string verdict = connection_->database.execAndGet("PRAGMA integrity_check").getString();
    if (verdict != "ok")
      return damaged(connection_->path, error("{}", verdict));
    SQLite::Statement strays(connection_->database, "PRAGMA foreign_key_check");
    if (strays.executeStep())
      return damaged(connection_->path, error("a row of {} names another that is not there",
                                              strays.getColumn(0).getString()));
    for (const BaselineRow &row : baselineRows(*connection_)) {
      Names names;
      auto baseline = retest::loadBaseline(*connection_, *packs_, row, names);
      if (!baseline)
        return baseline.takeError();
      if (llvm::Error wrong = checkCoverage(*connection_, *baseline))
        return damaged(connection_->path, std::move(wrong));
    }
    return llvm::Error::success();
  });
}

} // namespace retest
