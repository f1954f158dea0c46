#include "db/stored_coverage.h"

#include "db/coverage_reader.h"

namespace retest {
namespace {

/// Runs `action` with a reader, on one state of the file.
template <class Action>
auto reading(Connection &connection, BaselineRowId baseline, const Action &action)
    -> decltype(action(std::declval<CoverageReader &>())) {
  using Result = decltype(action(std::declval<CoverageReader &>()));
  return guarded(connection.path, [&]() -> Result {
    SQLite::Transaction snapshot(connection.database);
    auto reader = CoverageReader::open(connection, baseline);
    if (!reader)
      return damaged(connection.path, reader.takeError());
    if (!*reader)
      return error(ErrorKind::Store,
                   "{}: the baseline was replaced or removed meanwhile; try again",
                   connection.path);
    Result result = action(**reader);
    if (!result)
      return damaged(connection.path, result.takeError());
    return result;
  });
}

} // namespace

llvm::Expected<std::vector<RecordedTest>> StoredCoverage::tests(TestParts parts) {
  return reading(*connection_, baseline_,
                 [&](CoverageReader &reader) { return reader.tests(parts); });
}

llvm::Expected<std::vector<std::vector<TestId>>>
StoredCoverage::classes(llvm::ArrayRef<CoverageClassId> ids) {
  return reading(*connection_, baseline_,
                 [&](CoverageReader &reader) -> llvm::Expected<std::vector<TestSet>> {
                   std::vector<TestSet> sets;
                   for (CoverageClassId id : ids) {
                     auto set = reader.classOf(id);
                     if (!set)
                       return set.takeError();
                     sets.push_back(std::move(*set));
                   }
                   return sets;
                 });
}

llvm::Expected<std::vector<UnitCoverage>> StoredCoverage::units(llvm::ArrayRef<std::string> names) {
  return reading(*connection_, baseline_,
                 [&](CoverageReader &reader) { return reader.units(names); });
}

llvm::Expected<std::vector<StoredFileUse>> StoredCoverage::files() {
  return reading(*connection_, baseline_, [](CoverageReader &reader) { return reader.files(); });
}

llvm::Expected<std::vector<TestId>> StoredCoverage::users(std::uint32_t number) {
  return reading(*connection_, baseline_,
                 [&](CoverageReader &reader) { return reader.setOf(number); });
}

llvm::Expected<std::vector<ClassCoverage>>
StoredCoverage::constructed(llvm::ArrayRef<std::string> names) {
  return reading(*connection_, baseline_,
                 [&](CoverageReader &reader) { return reader.constructed(names); });
}

llvm::Expected<std::vector<EnvironmentPart>> StoredCoverage::environment() {
  return reading(*connection_, baseline_,
                 [](CoverageReader &reader) { return reader.environment(); });
}

llvm::Expected<CoverageMatrix> StoredCoverage::whole() {
  return reading(*connection_, baseline_, [](CoverageReader &reader) { return reader.whole(); });
}

} // namespace retest
