#pragma once

#include "graph/unit_record.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace retest {

/// Notes every file that a parse read and every path it looked for in vain: together they decide
/// whether the parse would give the same result again.
class RecordingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  explicit RecordingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> real)
      : ProxyFileSystem(std::move(real)) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;

  bool exists(const llvm::Twine &path) override { return static_cast<bool>(status(path)); }

  /// Absolute paths of files that were read, with the hash of their content.
  const llvm::StringMap<Fingerprint> &read() const { return read_; }
  /// Absolute paths of regular files whose existence was asked for (__has_include).
  const llvm::StringSet<> &present() const { return present_; }
  /// Absolute paths where there was nothing, and, with a slash at the end, directories: there
  /// was no file either.
  const llvm::StringSet<> &missed() const { return missed_; }

  void noteRead(llvm::StringRef path, llvm::StringRef content);
  /// The path as it is spelled in the lists above.
  std::string absolute(const llvm::Twine &path);

private:
  llvm::StringMap<Fingerprint> read_;
  llvm::StringSet<> present_;
  llvm::StringSet<> missed_;
};

} // namespace retest
