#include "select/changed_environment.h"

#include <llvm/ADT/STLExtras.h>

#include <map>
#include <optional>
#include <set>

namespace retest {

namespace {

/// All tests that ran or loaded the binary; every test if it is empty.
std::vector<TestId> testsOf(const std::string &binary, llvm::ArrayRef<RecordedTest> tests) {
  std::vector<TestId> found;
  for (std::uint32_t i = 0; i < tests.size(); ++i)
    if (binary.empty() || tests[i].binary == binary ||
        llvm::is_contained(tests[i].programs, binary))
      found.push_back({i});
  return found;
}

} // namespace

std::vector<EnvironmentChange> changedEnvironment(llvm::ArrayRef<EnvironmentPart> recorded,
                                                  llvm::ArrayRef<EnvironmentPart> current,
                                                  llvm::ArrayRef<RecordedTest> tests) {
  using Key = std::pair<std::string, std::string>;
  struct Versions {
    std::optional<Fingerprint> then, now;
  };
  std::map<Key, Versions> parts;
  std::set<std::string> binaries = {""}, recordedBinaries = {""};
  for (const EnvironmentPart &part : current) {
    parts[{part.binary, part.what}].now = part.content;
    binaries.insert(part.binary);
  }
  for (const EnvironmentPart &part : recorded) {
    parts[{part.binary, part.what}].then = part.content;
    recordedBinaries.insert(part.binary);
  }
  std::vector<EnvironmentChange> changes;
  for (const auto &[key, versions] : parts) {
    const auto &[binary, what] = key;
    bool isSame = versions.then && versions.now && *versions.then == *versions.now;
    if (isSame || what == "loader" || !binaries.count(binary) || !recordedBinaries.count(binary))
      continue;
    changes.push_back({binary, what, testsOf(binary, tests)});
  }
  return changes;
}

} // namespace retest
