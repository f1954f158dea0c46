#include "graph/names.h"

#include <cassert>

namespace retest {

NameId Names::intern(llvm::StringRef text) {
  auto [entry, isNew] = ids_.try_emplace(text, NameId{static_cast<std::uint32_t>(texts_.size())});
  if (isNew)
    texts_.push_back(entry->getKey());
  return entry->second;
}

NameId Names::find(llvm::StringRef text) const { return ids_.lookup(text); }

llvm::StringRef Names::text(NameId id) const {
  if (!id.isValid())
    return {};
  assert(id.value < texts_.size() && "a name of another table");
  return texts_[id.value];
}

} // namespace retest
