#include "support/progress.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

using namespace retest;
using namespace std::chrono_literals;

namespace {

/// A progress display with a clock that stands still unless told otherwise.
struct Shown {
  std::string text;
  llvm::raw_string_ostream out{text};
  std::chrono::steady_clock::time_point time{};

  ProgressStyle style(ProgressMode mode, unsigned width = 60) {
    return {mode, width, [this] { return time; }};
  }
};

std::size_t count(llvm::StringRef text, llvm::StringRef part) { return text.count(part); }

} // namespace

TEST_CASE("progress: auto is a bar where lines can be overwritten") {
  CHECK(resolved(ProgressMode::Auto, true) == ProgressMode::Bar);
  CHECK(resolved(ProgressMode::Auto, false) == ProgressMode::Counter);
  CHECK(resolved(ProgressMode::Bar, false) == ProgressMode::Bar);
  CHECK(resolved(ProgressMode::None, true) == ProgressMode::None);
}

TEST_CASE("progress: the bar's line") {
  struct Row {
    std::string situation;
    std::size_t done, total;
    std::string text;
    unsigned width;
    std::string expected;
  };
  const Row rows[] = {
      {"begin", 0, 51, "a.cpp", 80, "Parsing [>                       ]  0/51 a.cpp"},
      {"half", 5, 10, "a.cpp", 80, "Parsing [============>           ]  5/10 a.cpp"},
      {"end", 10, 10, "a.cpp", 80, "Parsing [========================] 10/10 a.cpp"},
      {"no work", 0, 0, "", 80, "Parsing [========================] 0/0 "},
      {"more than said", 3, 2, "x", 80, "Parsing [========================] 3/2 x"},
      {"cut to the width", 5, 10, "a.cpp", 44, "Parsing [============>           ]  5/10 a.c"},
      {"cut between characters, not bytes", 5, 10, "äöü", 43,
       "Parsing [============>           ]  5/10 äö"},
      {"no control characters", 1, 1, "a\033[2Jb\n", 80,
       "Parsing [========================] 1/1 a?[2Jb?"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.situation);
    CHECK(barLine("Parsing", row.done, row.total, row.text, row.width) == row.expected);
  }
}

TEST_CASE("progress: the bar is redrawn at most ten times a second, and leaves nothing behind") {
  Shown shown;
  {
    Progress progress(shown.out, shown.style(ProgressMode::Bar), "Parsing", 1000);
    for (int i = 0; i < 1000; ++i) { // one second
      progress.advance("a.cpp");
      shown.time += 1ms;
    }
    CHECK(count(shown.text, "Parsing") == 10);
    progress.finish();
  }
  CHECK(llvm::StringRef(shown.text).ends_with("\r\033[K"));
  CHECK(count(shown.text, "\n") == 0);
}

TEST_CASE("progress: a note stays above the bar") {
  Shown shown;
  Progress progress(shown.out, shown.style(ProgressMode::Bar), "Parsing", 2);
  progress.advance("a.cpp");
  shown.text.clear();
  progress.note("b.cpp does not parse");
  CHECK(llvm::StringRef(shown.text).starts_with("\r\033[Kb.cpp does not parse\n\rParsing ["));
}

TEST_CASE("progress: an error removes the bar without a finish") {
  Shown shown;
  {
    Progress(shown.out, shown.style(ProgressMode::Bar), "Parsing", 2).advance("a.cpp");
  }
  CHECK(llvm::StringRef(shown.text).ends_with("\r\033[K"));
}

TEST_CASE("progress: counter lines are few") {
  struct Row {
    std::string situation;
    int total;
    std::chrono::milliseconds each;
    std::size_t lines;
  };
  const Row rows[] = {
      {"a short run: the last line only", 1000, 1ms, 1},
      {"20 s: at most one line in 2 s", 1000, 20ms, 10},
      {"100 s: one line for each tenth", 1000, 100ms, 10},
      {"3 pieces of 100 s each: a line for each", 3, 100s, 3},
      {"1000 s with 10 % in 100 s: a line each 30 s or each tenth", 1000, 1000ms, 40},
      {"nothing to do", 0, 0ms, 1},
  };
  for (const Row &row : rows) {
    CAPTURE(row.situation);
    Shown shown;
    Progress progress(shown.out, shown.style(ProgressMode::Counter), "Parsing", row.total);
    for (int i = 0; i < row.total; ++i) {
      shown.time += row.each;
      progress.advance("a.cpp");
    }
    progress.finish();
    progress.finish();
    CHECK(count(shown.text, "\n") == row.lines);
    const std::string total = std::to_string(row.total);
    CHECK(llvm::StringRef(shown.text).ends_with("Parsing: " + total + "/" + total + "\n"));
  }
}

TEST_CASE("progress: none writes nothing, except notes") {
  Shown shown;
  Progress progress(shown.out, shown.style(ProgressMode::None), "Parsing", 2);
  progress.advance("a.cpp");
  progress.note("a.cpp does not parse");
  progress.finish();
  CHECK(shown.text == "a.cpp does not parse\n");
}

TEST_CASE("progress: threads count together") {
  Shown shown;
  Progress progress(shown.out, shown.style(ProgressMode::Counter), "Parsing", 4000);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 1000; ++j)
        progress.advance("a.cpp");
    });
  for (std::thread &thread : threads)
    thread.join();
  progress.finish();
  CHECK(shown.text == "Parsing: 4000/4000\n");
}
