#include "cli/unit_reader.h"

#include <fmt/ranges.h>

namespace retest {

namespace {

/// The cache is written each time this many units have been parsed: a run that is killed loses
/// no more than these.
constexpr std::size_t kUnitsPerSave = 8;

} // namespace

std::string parseWarning(llvm::StringRef unit, llvm::StringRef reason) {
  return (unit + " does not parse: " + reason).str();
}

UnitReader::UnitReader(Tree &tree, bool keepsGraphs, std::size_t total, Context &context)
    : tree_(tree), keepsGraphs_(keepsGraphs), context_(context),
      progress_(context.progress("Parsing", total)) {}

void UnitReader::take(ExtractedUnit unit) {
  progress_.advance(unit.record.name);
  if (!unit.record.isParsed()) {
    ++failed_;
    progress_.note(context_.warningLine(parseWarning(unit.record.name, unit.record.error)));
  }
  if (context_.options.isVerbose && !unit.droppedFlags.empty())
    progress_.note(fmt::format("retest: {}: flags unknown to Clang are left out: {}",
                               unit.record.name, fmt::join(unit.droppedFlags, " ")));
  pending_.push_back(std::move(unit));
  if (pending_.size() == kUnitsPerSave)
    save();
}

std::size_t UnitReader::finish() {
  save();
  progress_.finish();
  return failed_;
}

void UnitReader::save() {
  std::vector<NamedUnit> units;
  for (const ExtractedUnit &unit : pending_)
    units.push_back({&unit.record, &unit.names});
  std::vector<UnitRowId> rows = tree_.cache.save(units);
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    UnitRowId row = i < rows.size() ? rows[i] : UnitRowId{};
    if (row.isValid() && !keepsGraphs_) {
      pending_[i].record.graph = {};
      pending_[i].names = {};
    }
    tree_.parsedRows.push_back(row);
    tree_.parsed.push_back(std::move(pending_[i]));
  }
  pending_.clear();
}

} // namespace retest
