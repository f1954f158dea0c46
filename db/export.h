#pragma once

#include "db/store.h"

namespace retest {

/// Baselines as one run of bytes, the same for the same baselines whatever else the store holds or
/// held: a zstd frame around a store that is written anew, oldest baseline first. No names: all.
llvm::Expected<std::string> exportBaselines(Store &store, const std::vector<std::string> &names);

enum class ImportMode { AddOnly, Replace };

/// Adds the baselines of a file that `exportBaselines` made, all or none, and gives their names,
/// oldest first. The last of them is then the newest of the store.
///
/// The file is looked at as a whole before the store is touched: nobody vouches for its bytes. With
/// AddOnly, a baseline that the store has is an error of kind Usage.
llvm::Expected<std::vector<std::string>> importBaselines(Store &store, const std::string &file,
                                                         ImportMode mode);

} // namespace retest
