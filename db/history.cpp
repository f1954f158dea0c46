#include "db/history.h"

#include "db/connection.h"

namespace retest {

namespace {

std::uint64_t number(const SQLite::Column &column) {
  return static_cast<std::uint64_t>(column.getInt64());
}

std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

void addRules(SQLite::Database &database, std::int64_t id, const HistoryEntry &entry) {
  SQLite::Statement insert(database, "INSERT INTO history_rule VALUES (?, ?, ?)");
  for (const auto &[rule, tests] : entry.rules) {
    insert.reset();
    insert.bind(1, id);
    insert.bind(2, rule);
    insert.bind(3, number(tests));
    insert.exec();
  }
}

} // namespace

llvm::Error addHistory(Store &store, const HistoryEntry &entry) {
  Connection &connection = store.connection();
  return guarded(connection.path, [&]() -> llvm::Error {
    SQLite::Database &database = connection.database;
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement insert(database,
                             "INSERT INTO history (at, command, commit_id, kind, reason, total, "
                             "selected, ran, failed, caught, escaped, selecting, ran_time, "
                             "saved_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    int place = 0;
    for (const std::string *text :
         {&entry.at, &entry.command, &entry.commit, &entry.kind, &entry.reason})
      insert.bind(++place, *text);
    for (std::uint64_t count :
         {entry.total, entry.selected, entry.ran, entry.failed, entry.caught, entry.escaped})
      insert.bind(++place, number(count));
    for (std::chrono::microseconds time : {entry.selecting, entry.ranTime, entry.savedTime})
      insert.bind(++place, static_cast<std::int64_t>(time.count()));
    insert.exec();
    addRules(database, database.getLastInsertRowid(), entry);
    transaction.commit();
    return llvm::Error::success();
  });
}

llvm::Expected<std::vector<HistoryEntry>> loadHistory(Store &store) {
  Connection &connection = store.connection();
  return guarded(connection.path, [&]() -> llvm::Expected<std::vector<HistoryEntry>> {
    SQLite::Transaction snapshot(connection.database);
    SQLite::Statement rows(connection.database,
                           "SELECT id, at, command, commit_id, kind, reason, total, selected, ran, "
                           "failed, caught, escaped, selecting, ran_time, saved_time "
                           "FROM history ORDER BY id");
    SQLite::Statement rules(connection.database,
                            "SELECT rule, tests FROM history_rule WHERE history = ? ORDER BY rule");
    std::vector<HistoryEntry> entries;
    while (rows.executeStep()) {
      HistoryEntry &entry = entries.emplace_back();
      int place = 0;
      for (std::string *text :
           {&entry.at, &entry.command, &entry.commit, &entry.kind, &entry.reason})
        *text = rows.getColumn(++place).getString();
      for (std::uint64_t *count : {&entry.total, &entry.selected, &entry.ran, &entry.failed,
                                   &entry.caught, &entry.escaped})
        *count = number(rows.getColumn(++place));
      for (std::chrono::microseconds *time : {&entry.selecting, &entry.ranTime, &entry.savedTime})
        *time = std::chrono::microseconds(rows.getColumn(++place).getInt64());
      rules.reset();
      rules.bind(1, rows.getColumn(0).getInt64());
      while (rules.executeStep())
        entry.rules.emplace_back(rules.getColumn(0).getString(), number(rules.getColumn(1)));
    }
    return entries;
  });
}

} // namespace retest
