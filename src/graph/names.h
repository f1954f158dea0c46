#pragma once

#include "support/ids.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

#include <vector>

namespace retest {

struct NameTag;
/// A string of one `Names` table: an identity of a function, class or variable, a path, a label.
using NameId = Id<NameTag>;

/// Keeps each string once. Graphs that share a table can compare names by their ids.
///
/// Invariant: ids are dense, handed out in order of first use, and never change.
class Names {
public:
  Names() = default;
  Names(const Names &) = delete;
  Names &operator=(const Names &) = delete;
  Names(Names &&) = default;
  Names &operator=(Names &&) = default;

  NameId intern(llvm::StringRef text);
  /// The id of a string that is already in the table, else an invalid id.
  NameId find(llvm::StringRef text) const;
  /// The empty string for an invalid id.
  llvm::StringRef text(NameId id) const;
  std::size_t size() const { return texts_.size(); }

private:
  llvm::StringMap<NameId> ids_;
  std::vector<llvm::StringRef> texts_; // into the keys of ids_, which do not move
};

} // namespace retest
