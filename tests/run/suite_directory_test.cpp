#include "run/suite_directory.h"
#include "support/child_process.h"
#include "tests/notation/child_process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <sys/stat.h>

using namespace retest;

namespace {

constexpr std::uint64_t kTooMuch = ~std::uint64_t{0} / 4;

std::string parentOf(const std::string &path) {
  return std::filesystem::path(path).parent_path().string();
}

} // namespace

TEST_CASE("suite directory: in memory if there is room, else on the disk") {
  TemporaryDirectory memory, disk;
  std::string first = std::filesystem::canonical(memory.path());
  std::string last = std::filesystem::canonical(disk.path());
  auto placeOf = [](const SuitePlaces &places) {
    SuiteDirectory directory = llvm::cantFail(SuiteDirectory::make(places));
    CHECK(std::filesystem::is_empty(directory.path()));
    struct stat state{};
    CHECK((stat(directory.path().c_str(), &state) == 0 && (state.st_mode & 077) == 0));
    return parentOf(directory.path());
  };
  CHECK(placeOf({{first}, last, 1}) == first);
  CHECK(placeOf({{"/nowhere", first}, last, 1}) == first);
  CHECK(placeOf({{"/proc", first}, last, 0}) == first); // cannot be written
  CHECK(placeOf({{first}, last, kTooMuch}) == last);
  CHECK(placeOf({{}, last, kTooMuch}) == last);
  CHECK(std::filesystem::is_empty(first));
  CHECK(std::filesystem::is_empty(last));
  auto none = SuiteDirectory::make({{}, "/nowhere", 0});
  REQUIRE(!none);
  CHECK(llvm::toString(none.takeError()) == "/nowhere: No such file or directory");
}

TEST_CASE("suite directory: this machine's places are file systems in memory") {
  SuitePlaces places = suitePlaces("/disk", 4);
  CHECK(places.onDisk == "/disk");
  CHECK(places.room > suitePlaces("/disk", 1).room);
  setenv("XDG_RUNTIME_DIR", "relative", 1);
  for (const std::string &place : suitePlaces("/disk", 1).inMemory)
    CHECK(place == "/dev/shm");
  unsetenv("XDG_RUNTIME_DIR");
}

TEST_CASE("suite directory: what a killed process left is removed, what lives stays") {
  TemporaryDirectory place;
  SuitePlaces places{{}, place.path(), 0};
  SuiteDirectory own = llvm::cantFail(SuiteDirectory::make(places));
  std::string link = place / "retest-run-link", file = place.write("retest-run-file", "");
  std::filesystem::create_symlink(own.path(), link);
  std::string foreign = place.write("other/file", "");
  pid_t killed = startChild([&] {
    SuiteDirectory left = llvm::cantFail(SuiteDirectory::make(places));
    std::ofstream(left.path() + "/file") << "x";
    mkfifo((left.path() + "/pipe").c_str(), 0600);
    raise(SIGKILL);
    return 0;
  });
  CHECK(waitForChild(killed) == -1);
  CHECK(removeAbandoned(places) == 1);
  CHECK(removeAbandoned(places) == 0);
  CHECK(std::filesystem::exists(own.path()));
  CHECK(std::filesystem::exists(link));
  CHECK(std::filesystem::exists(file));
  CHECK(std::filesystem::exists(foreign));
}

TEST_CASE("suite directory: processes of a killed recorder end with what it left") {
  TemporaryDirectory place;
  std::string left = std::filesystem::canonical(place.path()).string() + "/retest-run-left";
  std::filesystem::create_directories(left);
  ChildProcess stray = llvm::cantFail(ChildProcess::start(
      {{"sleep", "600"}, {}, {{"RETEST_COUNTER_DIRECTORY", left + "/run-1/counters"}}}));
  // Until it is the other program, it has our environment.
  std::string environment;
  while (environment.find(left) == std::string::npos) {
    std::ifstream file("/proc/" + std::to_string(stray.id()) + "/environ");
    environment.assign(std::istreambuf_iterator<char>(file), {});
  }
  CHECK(removeAbandoned({{left + "/.."}, "/nowhere", 0}) == 1);
  CHECK(stray.reap().signal == SIGKILL);
  CHECK(!std::filesystem::exists(left));
}

TEST_CASE("a full disk is seen") {
  CHECK(!isDiskFull("/nowhere")); // not known: what fails will say so
  CHECK(isDiskFull("/proc"));     // has no room at all
}
