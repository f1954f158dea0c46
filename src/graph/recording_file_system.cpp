#include "graph/recording_file_system.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace {

/// Passes a file through and hashes what is read of it.
class RecordedFile : public llvm::vfs::File {
public:
  RecordedFile(std::unique_ptr<llvm::vfs::File> file, RecordingFileSystem &recording,
               std::string path)
      : file_(std::move(file)), recording_(recording), path_(std::move(path)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name,
                                                               std::int64_t size, bool requiresNull,
                                                               bool isVolatile) override {
    auto buffer = file_->getBuffer(name, size, requiresNull, isVolatile);
    if (buffer)
      recording_.noteRead(path_, (*buffer)->getBuffer());
    return buffer;
  }

private:
  std::unique_ptr<llvm::vfs::File> file_;
  RecordingFileSystem &recording_;
  std::string path_;
};

} // namespace

std::string RecordingFileSystem::absolute(const llvm::Twine &path) {
  llvm::SmallString<256> buffer;
  path.toVector(buffer);
  if (!makeAbsolute(buffer)) // it fails only without a working directory, which the parse has
    llvm::sys::path::remove_dots(buffer, /*remove_dot_dot=*/false);
  return buffer.str().str();
}

void RecordingFileSystem::noteRead(llvm::StringRef path, llvm::StringRef content) {
  auto [entry, isNew] = read_.try_emplace(path);
  if (isNew)
    entry->second = fingerprintOf(content);
}

llvm::ErrorOr<llvm::vfs::Status> RecordingFileSystem::status(const llvm::Twine &path) {
  auto status = ProxyFileSystem::status(path);
  if (!status)
    missed_.insert(absolute(path));
  else if (status->isRegularFile())
    present_.insert(absolute(path));
  else if (status->isDirectory())
    missed_.insert(absolute(path) + "/");
  return status;
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
RecordingFileSystem::openFileForRead(const llvm::Twine &path) {
  std::string name = absolute(path);
  auto file = ProxyFileSystem::openFileForRead(path);
  if (!file) {
    missed_.insert(name);
    return file;
  }
  present_.insert(name); // __has_include opens what it finds, and reads nothing of it
  return std::unique_ptr<llvm::vfs::File>(
      std::make_unique<RecordedFile>(std::move(*file), *this, std::move(name)));
}

} // namespace retest
