#include "support/file_state.h"

#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>

using namespace retest;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

void setModified(const std::string &path, long seconds) {
  timespec times[2] = {{seconds, 0}, {seconds, 0}};
  REQUIRE(utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
}

} // namespace

TEST_CASE("file states: a stamp is settled when both of its times are two seconds old") {
  struct Row {
    const char *what;
    std::int64_t modified, changed;
    bool isSettled;
  };
  const std::int64_t now = 1000 * kSecond;
  const Row rows[] = {
      {"old", 900 * kSecond, 900 * kSecond, true},
      {"written just now", now, now, false},
      {"written a second ago", 999 * kSecond, 999 * kSecond, false},
      {"written two seconds ago", 998 * kSecond, 998 * kSecond, false},
      {"time of writing set back just now", 900 * kSecond, now, false},
      {"written in the future", 2000 * kSecond, 900 * kSecond, false},
  };
  for (const Row &row : rows) {
    CAPTURE(row.what);
    CHECK(isSettled({1, row.modified, row.changed, 1, 1}, now) == row.isSettled);
  }
}

TEST_CASE("file states: contents, and paths without a regular file") {
  TemporaryDirectory directory;
  FileStates files;
  std::string path = directory.write("a.h", "int a;");
  CHECK(files.current(path) == fingerprintOf("int a;"));
  CHECK(files.current(directory.write("empty.h", "")) == fingerprintOf(""));
  CHECK(files.current(directory / "none.h") == std::nullopt);
  CHECK(files.current(directory.path()) == std::nullopt);
  CHECK(files.current(path + "/below") == std::nullopt);
  CHECK(files.current("/dev/null") == std::nullopt);
  REQUIRE(mkfifo((directory / "pipe").c_str(), 0600) == 0);
  CHECK(files.current(directory / "pipe") == std::nullopt);
  std::string large(1'000'000, 'x');
  CHECK(files.current(directory.write("large.h", large)) == fingerprintOf(large));

  CHECK(!files.isMissing(path));
  CHECK(files.isMissing(directory / "none.h"));
  // A directory that appears may hold headers; one that was there must stay.
  CHECK(!files.isMissing(directory.path()));
  CHECK(files.isMissing(directory.path() + "/"));
  CHECK(!files.isMissing(directory / "none.h/"));
}

TEST_CASE("missing files: one by one and from a list the answers are the same") {
  TemporaryDirectory directory;
  directory.write("inc/a.h", "");
  directory.write("inc/Upper.h", "");
  directory.write("inc/below/b.h", "");
  directory.write("accents/\xc3\xa9.h", "");
  std::filesystem::create_symlink("a.h", directory / "inc/link.h");
  std::filesystem::create_symlink("none.h", directory / "inc/dangling.h");
  std::filesystem::create_directory_symlink("inc", directory / "linked");
  for (int i = 0; i < 100; ++i)
    directory.write("large/" + std::to_string(i), "");
  MissingFiles files;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    for (const char *there :
         {"inc/a.h", "inc/link.h", "inc/below/b.h", "linked/a.h", "inc/Upper.h", "inc/../inc/a.h",
          "large/7", "accents/\xc3\xa9.h", "inc/below", "inc/."})
      CHECK(!files.isMissing(directory / there));
    for (const char *missing :
         {"inc/b.h", "inc/dangling.h", "inc/below/", "inc/upper.h", "inc/A.h", "linked/b.h",
          "inc/a.h/x", "none/a.h", "large/100", "inc/", "accents/e.h"})
      CHECK(files.isMissing(directory / missing));
  }
  // It answers from its list until another is made.
  directory.write("inc/b.h", "");
  CHECK(files.isMissing(directory / "inc/b.h"));
  CHECK(!MissingFiles().isMissing(directory / "inc/b.h"));
}

TEST_CASE("file states: a header that appears is seen after lookAgain") {
  TemporaryDirectory directory;
  directory.write("inc/a.h", "");
  FileStates files;
  for (int i = 0; i < 100; ++i)
    CHECK(files.isMissing(directory / ("inc/" + std::to_string(i))));
  directory.write("inc/7", "");
  files.lookAgain();
  CHECK(!files.isMissing(directory / "inc/7"));
}

TEST_CASE("file states: each path is looked at once until lookAgain") {
  TemporaryDirectory directory;
  FileStates files;
  std::string path = directory.write("a.h", "1");
  files.current(path);
  directory.write("a.h", "2");
  CHECK(files.current(path) == fingerprintOf("1"));
  files.lookAgain();
  CHECK(files.current(path) == fingerprintOf("2"));
  std::filesystem::remove(path);
  files.lookAgain();
  CHECK(files.current(path) == std::nullopt);
}

TEST_CASE("file states: a change of the same size at the same tick is seen") {
  // The second write may leave size, inode and time as they were: the stamp is not settled.
  TemporaryDirectory directory;
  FileStates files;
  std::string path = directory.write("a.h", "1");
  for (char digit = '2'; digit <= '9'; ++digit) {
    std::ofstream(path) << digit;
    files.lookAgain();
    CHECK(files.current(path) == fingerprintOf(llvm::StringRef(&digit, 1)));
  }
}

TEST_CASE("file states: only settled states are saved") {
  TemporaryDirectory directory;
  FileStates files;
  files.current(directory.write("fresh.h", "int a;"));
  CHECK(files.isChanged());
  std::string none = FileStates().encode();
  CHECK(files.encode() == none);

  // A file of the system has been there for longer.
  const char *const old = "/usr/include/stdio.h";
  auto content = files.current(old);
  REQUIRE(content.has_value());
  std::string bytes = files.encode();
  CHECK(bytes != none);
  FileStates loaded = FileStates::decode(bytes);
  CHECK(loaded.current(old) == content);
  CHECK(loaded.reads() == 0);
  CHECK(!loaded.isChanged());
  CHECK(loaded.encode() == bytes);
}

TEST_CASE("file states: a file whose time of writing was set back is read again") {
  TemporaryDirectory directory;
  std::string path = directory.write("a.h", "int a;");
  setModified(path, 1000);
  FileStates files;
  files.current(path);
  directory.write("a.h", "int b;");
  setModified(path, 1000);
  files.lookAgain();
  CHECK(files.current(path) == fingerprintOf("int b;"));
}

TEST_CASE("file states: damaged bytes are no states, and files are read instead") {
  FileStates files;
  files.current("/usr/include/stdio.h");
  std::string bytes = files.encode();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    FileStates cut = FileStates::decode(llvm::StringRef(bytes).take_front(size));
    CHECK(cut.encode() == FileStates().encode());
  }
  CHECK(FileStates::decode(bytes + "x").encode() == FileStates().encode());
  CHECK(FileStates::decode(std::string(50, '\xff')).encode() == FileStates().encode());
}
