#include "cli/shared_fixtures.h"

#include <llvm/ADT/StringMap.h>

#include <map>

namespace retest {

std::vector<SharedFile> sharedFixtures(llvm::ArrayRef<SuiteEntry> suite,
                                       llvm::ArrayRef<RecordedTest> tests) {
  llvm::StringMap<std::vector<TestId>> testsOf; // by entry
  for (std::uint32_t i = 0; i < tests.size(); ++i)
    for (const std::string &entry : tests[i].entries)
      testsOf[entry].push_back({i});
  std::map<std::string, SharedFile> shared;
  auto add = [&](const std::string &what, std::vector<TestId> SharedFile::*side,
                 llvm::StringRef entry) {
    SharedFile &each = shared[what];
    each.path = what;
    for (TestId test : testsOf.lookup(entry))
      (each.*side).push_back(test);
  };
  for (const SuiteEntry &entry : suite) {
    for (const std::string &fixture : entry.fixturesSetup)
      add("fixture " + fixture, &SharedFile::writers, entry.name);
    for (const std::string &fixture : entry.fixturesRequired)
      add("fixture " + fixture, &SharedFile::readers, entry.name);
    for (const std::string &fixture : entry.fixturesCleanup)
      add("fixture " + fixture, &SharedFile::readers, entry.name);
    for (const std::string &needed : entry.depends) {
      add("test " + needed, &SharedFile::readers, entry.name);
      shared["test " + needed].writers = testsOf.lookup(needed);
    }
  }
  std::vector<SharedFile> result;
  for (auto &[what, each] : shared)
    result.push_back(std::move(each));
  return result;
}

} // namespace retest
