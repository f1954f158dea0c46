#include "db/export.h"

#include "db/baseline_rows.h"
#include "db/compress.h"
#include "db/coverage_reader.h"
#include "db/scratch_directory.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MemoryBuffer.h>

namespace retest {
namespace {

constexpr int kLevel = 9;

/// The rows of these names, oldest first.
llvm::Expected<std::vector<BaselineRow>> rowsNamed(Connection &connection,
                                                   const std::vector<std::string> &names) {
  std::vector<BaselineRow> rows;
  if (names.empty())
    rows = baselineRows(connection);
  for (const std::string &name : names) {
    auto row = findBaseline(connection, name);
    if (!row)
      return row.takeError();
    if (llvm::none_of(rows, [&](const BaselineRow &known) { return known.id == row->id; }))
      rows.push_back(std::move(*row));
  }
  llvm::sort(rows, [](const BaselineRow &a, const BaselineRow &b) { return a.id < b.id; });
  return rows;
}

} // namespace

llvm::Error copyBaseline(Store &from, const BaselineRow &row, Connection &to, Removed &replaced) {
  Names names;
  auto baseline = loadBaseline(from.connection(), from.packs(), row, names);
  if (!baseline)
    return baseline.takeError();
  auto reader = CoverageReader::open(from.connection(), row.id);
  if (!reader)
    return damaged(from.connection().path, reader.takeError());
  std::optional<CoverageMatrix> matrix;
  if (*reader) {
    auto whole = (*reader)->whole();
    if (!whole)
      return damaged(from.connection().path, whole.takeError());
    matrix = std::move(*whole);
  }
  BaselineUnits units;
  for (const UnitRecord &unit : baseline->units)
    units.parsed.push_back({&unit, &names});
  auto removed =
      insertBaseline(to, {row.info, units, {&baseline->plan, &names}, matrix ? &*matrix : nullptr});
  if (!removed)
    return removed.takeError();
  replaced.usedFiles |= removed->usedFiles;
  return llvm::Error::success();
}

llvm::Expected<std::string> exportBaselines(Store &store, const std::vector<std::string> &names) {
  auto scratch = ScratchDirectory::create();
  if (!scratch)
    return scratch.takeError();
  auto copy = openConnection(scratch->file("copy.db"), FileKind::Store, OpenMode::Write);
  if (!copy)
    return copy.takeError();
  return guarded(store.connection().path, [&]() -> llvm::Expected<std::string> {
    SQLite::Transaction snapshot(store.connection().database);
    auto rows = rowsNamed(store.connection(), names);
    if (!rows)
      return rows.takeError();
    (*copy)->database.exec("PRAGMA synchronous = OFF");
    SQLite::Transaction transaction((*copy)->database, SQLite::TransactionBehavior::IMMEDIATE);
    Removed nothing;
    for (const BaselineRow &row : *rows)
      if (llvm::Error failed = copyBaseline(store, row, **copy, nothing))
        return failed;
    transaction.commit();
    std::string whole = scratch->file("whole.db");
    SQLite::Statement vacuum((*copy)->database, "VACUUM INTO ?");
    vacuum.bind(1, whole);
    vacuum.exec();
    auto bytes = llvm::MemoryBuffer::getFile(whole, /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false);
    if (!bytes)
      return error("{}: cannot be read: {}", whole, bytes.getError().message());
    return compressed((*bytes)->getBuffer(), kLevel);
  });
}

} // namespace retest
