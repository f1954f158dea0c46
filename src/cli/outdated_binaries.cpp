#include "cli/outdated_binaries.h"

#include "build/language.h"
#include "build/paths.h"
#include "build/source_files.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

namespace retest {
namespace {

/// What commands of the project make for one binary; real paths.
std::vector<std::string> madeFor(const Binary &binary, const MadeFiles &made,
                                 const ProjectPaths &paths) {
  std::vector<std::string> files;
  auto add = [&](const std::string &path) {
    if (std::string real = withRealParent(path); made.contains(real))
      files.push_back(std::move(real));
  };
  if (!made.ninja.empty()) // of make all that it builds is known as made
    add(paths.pathOf(binary.name));
  for (const LinkInput &input : binary.inputs) {
    if (input.kind != LinkInput::Kind::Object)
      continue;
    if (!input.command) {
      add(paths.pathOf(input.name));
      continue;
    }
    add(input.command->file);
    if (classify(*input.command).kind == EntryKind::Unit)
      for (const auto &file : filesOfSource(*input.command, paths))
        add(paths.pathOf(file.first));
  }
  return files;
}

/// Those in which one of the archives and libraries is, in any depth.
void addUsers(const LinkPlan &links, llvm::StringSet<> &binaries) {
  auto isOne = [&](const LinkInput &input) {
    bool isBinary =
        input.kind == LinkInput::Kind::Archive || input.kind == LinkInput::Kind::SharedLibrary;
    return isBinary && binaries.contains(input.name);
  };
  for (std::size_t before = 0; before != binaries.size();) {
    before = binaries.size();
    for (const Binary &binary : links.binaries)
      if (llvm::any_of(binary.inputs, isOne))
        binaries.insert(binary.name);
  }
}

std::vector<TestId> testsOf(const std::string &binary, llvm::ArrayRef<RecordedTest> tests) {
  std::vector<TestId> found;
  for (std::uint32_t i = 0; i < tests.size(); ++i)
    if (tests[i].binary == binary || llvm::is_contained(tests[i].programs, binary))
      found.push_back({i});
  return found;
}

} // namespace

std::vector<FileChange> outdatedBinaries(const LinkPlan &links, const MadeFiles &made,
                                         const ProjectPaths &paths,
                                         llvm::ArrayRef<RecordedTest> tests) {
  llvm::StringMap<std::vector<std::string>> madeByBinary;
  std::vector<std::string> all;
  for (const Binary &binary : links.binaries)
    if (std::vector<std::string> files = madeFor(binary, made, paths); !files.empty()) {
      llvm::append_range(all, files);
      madeByBinary[binary.name] = std::move(files);
    }
  llvm::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const std::vector<std::string> outdated = outdatedFiles(made, paths, all);
  llvm::StringSet<> binaries;
  for (const auto &[binary, files] : madeByBinary)
    if (llvm::any_of(files, [&](const std::string &file) {
          return std::binary_search(outdated.begin(), outdated.end(), file);
        }))
      binaries.insert(binary);
  addUsers(links, binaries);
  std::vector<FileChange> changes;
  for (const Binary &binary : links.binaries)
    if (binaries.contains(binary.name))
      if (std::vector<TestId> users = testsOf(binary.name, tests); !users.empty())
        changes.push_back(
            {FileUseKind::Executed, binary.name, std::move(users), FileChangeKind::MadeAnew});
  return changes;
}

} // namespace retest
