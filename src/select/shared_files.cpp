#include "select/shared_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <map>
#include <set>

namespace retest {

namespace {

using Tests = std::set<TestId>;

struct Sharing {
  Tests writers, readers;
};

} // namespace

std::vector<SharedFile> sharedFiles(llvm::ArrayRef<UsedFile> files) {
  std::map<std::string, Tests> writers;
  for (const UsedFile &file : files)
    if (file.kind == FileUseKind::Written)
      writers[file.path].insert(file.tests.begin(), file.tests.end());
  std::map<std::string, Sharing> shared;
  auto add = [&](const UsedFile &file, const Tests &by) {
    Sharing &sharing = shared[file.path];
    sharing.writers.insert(by.begin(), by.end());
    sharing.readers.insert(file.tests.begin(), file.tests.end());
  };
  for (const UsedFile &file : files) {
    if (file.kind == FileUseKind::Written)
      continue;
    for (llvm::StringRef path = file.path; !path.empty(); path = path.rsplit('/').first) {
      if (auto by = writers.find(path.str()); by != writers.end())
        add(file, by->second);
      if (!path.contains('/'))
        break;
    }
    if (file.kind != FileUseKind::Listed)
      continue;
    std::string inside = file.path + "/";
    for (auto by = writers.lower_bound(inside);
         by != writers.end() && llvm::StringRef(by->first).starts_with(inside); ++by)
      add(file, by->second);
  }
  std::vector<SharedFile> result;
  for (const auto &[path, sharing] : shared)
    result.push_back({path,
                      {sharing.writers.begin(), sharing.writers.end()},
                      {sharing.readers.begin(), sharing.readers.end()}});
  return result;
}

} // namespace retest
