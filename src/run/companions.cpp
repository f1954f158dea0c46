#include "run/companions.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

namespace {

bool areDisjoint(llvm::ArrayRef<std::string> a, llvm::ArrayRef<std::string> b) {
  return llvm::none_of(a, [&](const std::string &each) { return llvm::is_contained(b, each); });
}

bool needs(const SuiteEntry &entry, const SuiteEntry &other) {
  return llvm::is_contained(entry.depends, other.name) ||
         !areDisjoint(entry.fixturesRequired, other.fixturesSetup) ||
         !areDisjoint(entry.fixturesRequired, other.fixturesCleanup);
}

} // namespace

std::set<std::string> companionEntries(llvm::ArrayRef<SuiteEntry> entries,
                                       const std::set<std::string> &names) {
  std::set<std::string> awaited;
  for (const SuiteEntry &entry : entries)
    awaited.insert(entry.depends.begin(), entry.depends.end());
  // Few entries have to do with others at all.
  std::vector<const SuiteEntry *> helpful, open;
  for (const SuiteEntry &entry : entries) {
    bool isWaitedFor = !entry.fixturesSetup.empty() || !entry.fixturesCleanup.empty() ||
                       awaited.count(entry.name) != 0;
    if (isWaitedFor && !entry.isDisabled)
      helpful.push_back(&entry);
    if (names.count(entry.name) && !entry.isDisabled)
      open.push_back(&entry);
  }
  std::set<std::string> companions;
  while (!open.empty()) {
    const SuiteEntry &entry = *open.back();
    open.pop_back();
    for (const SuiteEntry *other : helpful)
      if (!names.count(other->name) && needs(entry, *other) &&
          companions.insert(other->name).second)
        open.push_back(other);
  }
  return companions;
}

} // namespace retest
