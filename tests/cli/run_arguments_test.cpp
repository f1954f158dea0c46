#include "cli/run_arguments.h"

#include <doctest/doctest.h>

using namespace retest;

TEST_CASE("arguments: times") {
  struct Row {
    const char *text;
    std::int64_t microseconds; ///< -1: it is none
  };
  const Row rows[] = {{"90", 90000000},  {"60s", 60000000},    {"500ms", 500000}, {"1.5s", 1500000},
                      {"2m", 120000000}, {"1h", 3600000000},   {"0s", 0},         {"", -1},
                      {"s", -1},         {"-1s", -1},          {"1d", -1},        {"1s ", -1},
                      {"1e9s", -1},      {"99999999999h", -1}, {"1.2.3s", -1}};
  for (const Row &row : rows) {
    CAPTURE(row.text);
    auto time = parseDuration("--budget", row.text);
    CHECK((time ? time->count() : -1) == row.microseconds);
    if (!time)
      CHECK(llvm::StringRef(llvm::toString(time.takeError())).starts_with("--budget "));
  }
}

TEST_CASE("arguments: shards") {
  for (const char *wrong : {"", "1", "0/2", "3/2", "1/0", "a/2", "1/2/3", "-1/2", "1/"}) {
    CAPTURE(wrong);
    auto shard = parseShard(wrong);
    CHECK_FALSE(!!shard);
    llvm::consumeError(shard.takeError());
  }
  auto shard = parseShard("2/3");
  REQUIRE(!!shard);
  CHECK((*shard == Shard{2, 3}));
}
