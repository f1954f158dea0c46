#include "tests/db/sample_units.h"
#include "tests/notation/child_process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>

using namespace retest;

namespace {

/// Saves two contents in turn, for ever, and tells through the pipe that it began.
int saveForEver(const std::string &path, const SampleUnits &one, const SampleUnits &two, int pipe) {
  Store store = openStore(path);
  if (write(pipe, "x", 1) != 1)
    return 1;
  for (;;)
    for (const SampleUnits *units : {&one, &two})
      if (store.saveBaseline(infoOf("main"), {units->named()}))
        return 1;
}

int loadsInReadOnlyPlace(const std::string &path, const std::string &expected) {
  return runInChild([&] {
    giveUpRights();
    auto store = Store::open(path, OpenMode::Read);
    if (!store) {
      llvm::consumeError(store.takeError());
      return 2;
    }
    return loaded(*store, "") == expected ? 0 : 3;
  });
}

} // namespace

TEST_CASE("store: killed at any moment, it holds one content or the other") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  SampleUnits one(1, 12, 60), two(2, 12, 60);
  auto start = std::chrono::steady_clock::now();
  {
    Store store = openStore(path);
    REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {one.named()})) == "");
    REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {two.named()})) == "");
  }
  // Twice as long as the child needs to save both.
  auto longest = 2 * (std::chrono::steady_clock::now() - start);
  constexpr unsigned kRounds = 30;
  const std::string contents[] = {one.text(), two.text()};
  unsigned seen[2] = {0, 0};
  for (unsigned round = 0; round < kRounds; ++round) {
    CAPTURE(round);
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_t child = startChild([&] { return saveForEver(path, one, two, ends[1]); });
    char byte;
    REQUIRE(read(ends[0], &byte, 1) == 1);
    std::this_thread::sleep_for(longest * round / kRounds); // in a transaction, or between two
    kill(child, SIGKILL);
    CHECK(waitForChild(child) == -1); // it was at work
    close(ends[0]);
    close(ends[1]);
    auto store = Store::open(path, round % 2 ? OpenMode::Read : OpenMode::Write);
    REQUIRE(bool(store));
    std::string content = loaded(*store, "main");
    bool isOne = content == contents[0];
    bool isTwo = content == contents[1];
    CHECK((isOne || isTwo));
    ++seen[isTwo];
    CHECK(messageOf(store->check()) == "");
  }
  // Else it never got from one to the other.
  CHECK(seen[0] > 0);
  CHECK(seen[1] > 0);
}

TEST_CASE("store: what was saved is there although the process died with its log unmerged") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  SampleUnits units(1, 2);
  pid_t child = startChild([&] {
    Store store = openStore(path);
    if (store.saveBaseline(infoOf("main"), {units.named()}))
      return 1;
    kill(getpid(), SIGKILL); // the store was not closed
    return 2;
  });
  CHECK(waitForChild(child) == -1);
  CHECK(std::filesystem::file_size(path + "-wal") > 0);
  Store store = openStore(path);
  CHECK(loaded(store, "main") == units.text());
}

TEST_CASE("store: killed while it is created, it can be created again") {
  for (unsigned round = 0; round < 10; ++round) {
    TemporaryDirectory directory;
    std::string path = directory / "retest.db";
    pid_t child = startChild([&] {
      openStore(path);
      return 0;
    });
    usleep(round * 400);
    kill(child, SIGKILL);
    waitForChild(child);
    Store store = openStore(path);
    CHECK(messageOf(store.check()) == "");
  }
}

TEST_CASE("store: two processes write and one reads at once") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  SampleUnits one(1, 6), two(2, 6);
  auto writer = [&](const char *name, const SampleUnits &units) {
    return startChild([&path, &units, name] {
      Store store = openStore(path);
      for (int i = 0; i < 15; ++i)
        if (llvm::Error problem = store.saveBaseline(infoOf(name), {units.named()})) {
          llvm::consumeError(std::move(problem));
          return 1;
        }
      return 0;
    });
  };
  // Both create the file.
  pid_t first = writer("one", one);
  pid_t second = writer("two", two);
  for (int i = 0; i < 30; ++i) {
    usleep(2000);
    auto store = Store::open(path, OpenMode::Read);
    if (!store) { // not yet created
      llvm::consumeError(store.takeError());
      continue;
    }
    std::string content = loaded(*store, "one");
    bool isWhole = content == one.text() || content.find("no baseline") != std::string::npos;
    CAPTURE(content);
    CHECK(isWhole);
  }
  CHECK(waitForChild(first) == 0);
  CHECK(waitForChild(second) == 0);
  Store store = openStore(path);
  CHECK(loaded(store, "one") == one.text());
  CHECK(loaded(store, "two") == two.text());
  CHECK(messageOf(store.check()) == "");
}

TEST_CASE("store: readable in a read-only directory, by a user who may write nothing") {
  TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "a b%?#");
  std::string place = directory / "a b%?#";
  std::string path = place + "/retest.db";
  SampleUnits units(1, 2);
  {
    Store store = openStore(path);
    REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {units.named()})) == "");
  }
  CHECK(!std::filesystem::exists(path + "-wal")); // merged when the last writer closed it
  chmod(path.c_str(), 0444);
  chmod(place.c_str(), 0555);
  chmod(directory.path().c_str(), 0755);
  CHECK(loadsInReadOnlyPlace(path, units.text()) == 0);

  // A log that cannot be taken into account is an error, never an older content.
  chmod(place.c_str(), 0755);
  std::ofstream(path + "-wal") << "changes";
  chmod((path + "-wal").c_str(), 0444);
  chmod(place.c_str(), 0555);
  CHECK(loadsInReadOnlyPlace(path, units.text()) == 2);
  chmod(place.c_str(), 0755);
}
