#pragma once

#include "select/select_tests.h"

namespace retest {

/// A file, and the tests that used it in this way.
struct UsedFile {
  FileUseKind kind = FileUseKind::Read;
  std::string path;
  std::vector<TestId> tests; ///< sorted

  auto operator<=>(const UsedFile &) const = default;
};

/// The files by which tests may depend on each other, sorted by path.
///
/// A test reads what another writes if it uses the same path, or one below it (a directory that is
/// made or moved brings its files along), or lists the directory that it lies in.
///
///     a writes out/x    b reads out/x    c lists out    ->  out/x: a -> b, out: a -> c
std::vector<SharedFile> sharedFiles(llvm::ArrayRef<UsedFile> files);

} // namespace retest
