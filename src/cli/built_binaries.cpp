#include "cli/built_binaries.h"

namespace retest {

BuiltBinaries::BuiltBinaries(const Tree &tree, const ProgramPlan &plan, const Names &names) {
  for (const LinkedBinary &binary : plan.binaries) {
    std::string path = tree.paths.pathOf(names.text(binary.name));
    contents_[path] = states_.current(path);
  }
}

std::string BuiltBinaries::changed() {
  states_.lookAgain();
  for (const auto &[path, content] : contents_)
    if (states_.current(path) != content)
      return path;
  return "";
}

} // namespace retest
