// Files with wrong bytes in them. Among the fast tests, so that the sanitizers see it too.
#include "tests/db/sample_matrix.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("store: any damage is an error or harmless, never a crash") {
  TemporaryDirectory directory;
  std::string path = directory / "retest.db";
  SampleUnits units(1, 6, 20);
  CoverageMatrix matrix = sampleMatrix(units, 200);
  {
    Store store = openStore(path);
    REQUIRE(messageOf(store.saveBaseline(infoOf("main"), {units.named()}, {}, &matrix)) == "");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  unsigned errors = 0;
  std::mt19937 random(7);
  for (unsigned round = 0; round < 150; ++round) {
    CAPTURE(round);
    std::string bytes = whole;
    for (unsigned times = 1 + random() % 20; times > 0; --times)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (round % 10 == 0)
      bytes.resize(random() % bytes.size());
    std::string copy = directory.write("copy.db", bytes);
    // Writing waits for the disk: a third of the rounds is enough.
    OpenMode mode = round % 3 == 0 ? OpenMode::Write : OpenMode::Read;
    auto store = Store::open(copy, mode);
    if (!store) {
      ++errors;
      llvm::consumeError(store.takeError());
    } else {
      Names names;
      auto baseline = store->loadBaseline("", names);
      if (!baseline) {
        ++errors;
        std::string message = llvm::toString(baseline.takeError());
        CHECK(message.find(copy) == 0);
      }
      loadedMatrix(*store, "");
      llvm::consumeError(store->check());
      if (mode == OpenMode::Write) {
        llvm::consumeError(store->saveBaseline(infoOf("other"), {units.named()}, {}, &matrix));
        llvm::consumeError(store->removeBaseline("main"));
      }
    }
    for (const char *suffix : {"", "-wal", "-shm"})
      std::filesystem::remove(copy + suffix);
  }
  CHECK(errors > 50);
}
