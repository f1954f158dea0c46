#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <stdlib.h>

namespace retest {

/// A directory of its own for a test; removed with all it holds.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::string pattern = std::filesystem::temp_directory_path() / "retest-XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(const std::string &name) const { return path_ + "/" + name; }
  const std::string &path() const { return path_; }

  /// Writes a file and gives its path.
  std::string write(const std::string &name, const std::string &content) const {
    std::string path = *this / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

private:
  std::string path_;
};

} // namespace retest
