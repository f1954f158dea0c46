#include "cli/suite_entries.h"

#include "build/meson_build.h"
#include "cli/tree.h"
#include "run/meson_suite.h"
#include "run/test_framework.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

llvm::Expected<std::vector<SuiteEntry>> suiteEntries(const ProjectPaths &paths,
                                                     llvm::ArrayRef<std::string> programs) {
  llvm::Expected<std::vector<SuiteEntry>> entries =
      isMesonBuild(paths.build) ? readMesonSuite(paths.build, stateDirectory(paths))
                                : readCTestSuite(paths.build);
  if (!entries || !entries->empty())
    return entries;
  std::vector<std::string> withTests;
  for (const std::string &program : programs)
    if (detectFramework(program))
      withTests.push_back(program);
  return entriesFor(withTests);
}

std::vector<NamedDirectory> directoriesOf(const ProjectPaths &paths) {
  std::vector<NamedDirectory> directories = {{paths.build, "<build>"}, {paths.root, "<root>"}};
  if (!paths.buildLink.empty())
    directories.push_back({paths.buildLink, "<build>"});
  llvm::sort(directories, [](const NamedDirectory &a, const NamedDirectory &b) {
    return a.path.size() > b.path.size();
  });
  return directories;
}

} // namespace retest
