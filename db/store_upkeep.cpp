#include "db/store_upkeep.h"

#include "db/baseline_rows.h"

#include <algorithm>

namespace retest {
namespace {

std::uint64_t numberOf(SQLite::Database &database, const std::string &query) {
  return static_cast<std::uint64_t>(database.execAndGet(query).getInt64());
}

BaselineSummary summaryOf(SQLite::Database &database, const BaselineRow &row) {
  BaselineSummary summary;
  summary.info = row.info;
  auto number = [&](const char *query) {
    return numberOf(database, fmt::format(fmt::runtime(query), row.id.value));
  };
  summary.units = number("SELECT count(*) FROM baseline_unit WHERE baseline = {}");
  summary.hasCoverage = number("SELECT count(*) FROM coverage WHERE baseline = {}") != 0;
  summary.tests = number("SELECT count(*) FROM test WHERE baseline = {}");
  summary.unmeasured = number("SELECT count(*) FROM test WHERE baseline = {} AND unmeasured <> ''");
  for (const char *query :
       {"SELECT coalesce(sum(length(binary) + length(name) + length(suite) + length(file) + "
        "length(entries) + length(settings) + length(unmeasured) + length(programs) + 16), 0) "
        "FROM test WHERE baseline = {}",
        "SELECT coalesce(sum(length(sets) + 8), 0) FROM coverage_class WHERE baseline = {}",
        "SELECT coalesce(sum(length(functions) + length(counted) + 8), 0) FROM unit_coverage WHERE "
        "baseline = {}",
        "SELECT coalesce(sum(length(classes) + length(first)), 0) FROM constructed "
        "WHERE baseline = {}",
        "SELECT count(*) * 24 FROM file_use WHERE baseline = {}"})
    summary.coverageBytes += number(query);
  return summary;
}

} // namespace

llvm::Expected<StoreSummary> summarise(Store &store) {
  Connection &connection = store.connection();
  return guarded(connection.path, [&]() -> llvm::Expected<StoreSummary> {
    SQLite::Database &database = connection.database;
    SQLite::Transaction snapshot(database);
    std::uint64_t page = numberOf(database, "PRAGMA page_size");
    StoreSummary summary{connection.path,
                         static_cast<int>(numberOf(database, "PRAGMA user_version")),
                         numberOf(database, "PRAGMA page_count") * page,
                         numberOf(database, "PRAGMA freelist_count") * page,
                         {}};
    for (const BaselineRow &row : baselineRows(connection))
      summary.baselines.push_back(summaryOf(database, row));
    return summary;
  });
}

llvm::Error removeBaselines(Store &store, const std::vector<std::string> &names) {
  Connection &connection = store.connection();
  return guarded(connection.path, [&]() -> llvm::Error {
    SQLite::Transaction transaction(connection.database, SQLite::TransactionBehavior::IMMEDIATE);
    Removed all;
    for (const std::string &name : names) {
      Removed removed = removeBaselineRow(connection.database, name);
      if (!removed.wasThere)
        return error(ErrorKind::Store, "{}: baseline {} was removed meanwhile; try again",
                     connection.path, name);
      all.usedFiles |= removed.usedFiles;
    }
    if (llvm::Error problem = removeUnused(connection, all))
      return problem;
    transaction.commit();
    return llvm::Error::success();
  });
}

llvm::Error compact(Store &store) {
  Connection &connection = store.connection();
  return guarded(connection.path, [&]() -> llvm::Error {
    connection.database.exec("VACUUM");
    // The log has all that was written; without this the file beside it stays as large.
    SQLite::Statement(connection.database, "PRAGMA wal_checkpoint(TRUNCATE)").executeStep();
    return llvm::Error::success();
  });
}

std::vector<std::string> baselinesToPrune(const std::vector<BaselineInfo> &newestFirst,
                                          std::size_t keep) {
  // What `retest record` calls a baseline without --name.
  auto isNamedByUs = [](const BaselineInfo &info) {
    return info.name == "work-tree" ||
           (!info.commit.empty() &&
            (info.name == info.commit || info.name == info.commit + "-dirty"));
  };
  std::vector<std::string> names;
  for (std::size_t i = keep; i < newestFirst.size(); ++i)
    if (isNamedByUs(newestFirst[i]))
      names.push_back(newestFirst[i].name);
  std::reverse(names.begin(), names.end());
  return names;
}

} // namespace retest
