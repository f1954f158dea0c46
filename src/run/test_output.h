#pragma once

#include <cstddef>
#include <string>

namespace retest {

/// A file to which a test writes, of which only the beginning and the end are kept: a test that
/// writes for ever fills neither disk nor memory.
///
/// While the test runs, `keepSmall` gives the middle of the file back to the file system; the file
/// keeps its length.
class TestOutput {
public:
  TestOutput(std::string path, std::size_t limit) : path_(std::move(path)), limit_(limit) {}

  const std::string &path() const { return path_; }
  /// To be called now and then. False: it grows, and the file system does not take anything back.
  bool keepSmall();
  /// The output; of more than the limit, its first and last halves with a note between them.
  std::string read() const;

private:
  std::string path_;
  std::size_t limit_;
  std::size_t freedUntil_ = 0;
};

} // namespace retest
