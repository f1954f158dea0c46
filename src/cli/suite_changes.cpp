#include "cli/suite_changes.h"

#include "build/test_discovery.h"
#include "cli/environment.h"
#include "cli/suite_entries.h"
#include "run/unbuilt_commands.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>

#include <set>

namespace retest {
namespace {

constexpr llvm::StringLiteral kNotBuilt = "_NOT_BUILT"; ///< how CMake ends such an entry's name

/// Programs whose tests CTest does not know before they are built: what finds them then is a part
/// of the environment, and says how they are run.
llvm::StringSet<> undiscovered(const llvm::StringSet<> &entries, const ProjectPaths &paths,
                               llvm::ArrayRef<EnvironmentPart> recordedEnvironment) {
  llvm::StringSet<> programs;
  for (const TestDiscovery &discovery : testDiscoveries(paths))
    if (entries.contains(discovery.target + kNotBuilt.str()) &&
        isDiscoveryRecorded(recordedEnvironment, discovery.binary))
      programs.insert(discovery.binary);
  return programs;
}

} // namespace

llvm::Expected<std::vector<SuiteEntry>> entriesNow(const ProjectPaths &paths,
                                                   llvm::ArrayRef<RecordedTest> tests) {
  std::set<std::string> programs;
  for (const RecordedTest &test : tests)
    if (!test.binary.empty())
      programs.insert(paths.pathOf(test.binary));
  auto entries = suiteEntries(paths, std::vector<std::string>(programs.begin(), programs.end()));
  if (entries)
    addUnbuiltCommands(*entries, paths.build);
  return entries;
}

std::vector<TestId> resettledTests(llvm::ArrayRef<SuiteEntry> suite,
                                   llvm::ArrayRef<RecordedTest> tests, const ProjectPaths &paths,
                                   llvm::ArrayRef<EnvironmentPart> recordedEnvironment) {
  SuiteSettings settings(suite, directoriesOf(paths));
  llvm::StringSet<> names;
  for (const SuiteEntry &entry : suite)
    names.insert(entry.name);
  llvm::StringSet<> unbuilt = undiscovered(names, paths, recordedEnvironment);
  auto isThere = [&](const std::string &entry) { return names.contains(entry); };
  std::vector<TestId> resettled;
  for (std::uint32_t i = 0; i < tests.size(); ++i) {
    const RecordedTest &test = tests[i];
    bool isUndiscovered = unbuilt.contains(test.binary) && llvm::none_of(test.entries, isThere);
    if (!isUndiscovered && settings.of(test.entries) != test.settings)
      resettled.push_back({i});
  }
  return resettled;
}

void addNewEntries(llvm::ArrayRef<SuiteEntry> suite, llvm::ArrayRef<RecordedTest> tests,
                   RegisteredTests &registered) {
  llvm::StringSet<> known;
  for (const RecordedTest &test : tests)
    for (const std::string &entry : test.entries)
      known.insert(entry);
  for (const NewTest &test : registered.added)
    known.insert(test.name);
  for (const SuiteEntry &entry : suite)
    if (!entry.isDisabled && !llvm::StringRef(entry.name).ends_with(kNotBuilt) &&
        known.insert(entry.name).second)
      registered.added.push_back({"", entry.name, "", 0});
  llvm::sort(registered.added);
}

} // namespace retest
