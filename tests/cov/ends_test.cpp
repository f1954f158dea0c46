#include "tests/cov/gcc_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>

using namespace retest;

namespace {

/// Each process and module, and whether it came to its end.
std::string show(const std::vector<ModuleCounters> &all) {
  std::vector<std::string> words;
  for (const ModuleCounters &each : all) {
    bool counted = std::any_of(each.counters.begin(), each.counters.end(),
                               [](std::uint64_t count) { return count != 0; });
    words.push_back(fmt::format("{}{}{}{}", std::filesystem::path(each.module).filename().string(),
                                each.hasEnded ? " ended" : " cut", counted ? "" : " unused",
                                each.hadThreads ? " threads" : ""));
  }
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, ", "));
}

struct Row {
  const char *how, *expected;
  int signal = 0;
  const char *expectedOfClang = expected;
};

const Row rows[] = {
    {"return", "ends ended"},
    {"exit", "ends ended"},
    {"quick_exit", "ends ended"},
    {"_exit", "ends ended"},
    {"abort", "ends ended", SIGABRT},
    {"terminate", "ends ended", SIGABRT},
    {"throw", "ends ended", SIGABRT},
    {"assert", "ends ended", SIGABRT},
    {"exec", "ends ended"},
    {"exec, in vain", "ends cut", SIGKILL},
    {"killed", "ends cut", SIGKILL},
    {"crash", "ends cut", SIGSEGV},
    {"handler comes back", "ends ended"},
    {"handler exits", "ends cut"},
    {"handler exits, open", "ends cut"},
    {"handler exits, reset", "ends cut"},
    {"handler resets itself and exits", "ends cut"},
    {"handler jumps", "ends cut"},
    {"jump", "ends ended"},
    {"thread ended", "ends ended threads"},
    {"thread is busy", "ends cut threads"},
    {"threads take turns", "ends cut threads"},
    {"thread waits", "ends cut threads", 0, "ends ended threads"},
    {"thread of a timer", "ends cut threads", 0, "ends ended threads"},
    {"thread waits in a handler", "ends cut threads"},
    {"child ends", "ends ended, ends ended"},
    {"child killed", "ends cut, ends ended"},
    {"child of vfork ends", "ends cut", SIGKILL},
    {"plugin", "ends ended, plugin.so ended"},
    {"plugin, killed", "ends cut, plugin.so ended", SIGKILL},
    {"plugin twice", "ends ended, plugin.so ended, plugin.so ended"},
    {"plugin, child", "ends ended, ends ended, plugin.so ended"},
};

void check(const TemporaryDirectory &directory, const Row &row, const char *expected) {
  CAPTURE(row.how);
  CountedRun run = runCounted(directory, {directory / "ends", row.how, directory / "plugin.so"});
  CHECK(run.end.signal == row.signal);
  CHECK(run.end.exitCode == 0);
  CHECK(show(run.counters) == expected);
}

void copySources(const TemporaryDirectory &directory) {
  for (const char *file : {"ends.cpp", "plugin.cpp"})
    std::filesystem::copy_file(std::string(GCOV_SOURCES) + "/" + file, directory / file);
}

} // namespace

TEST_CASE("ends: whether counters of GCC are whole") {
  TemporaryDirectory directory;
  copySources(directory);
  buildWithGcc(directory.path(), {"ends.cpp"}, "ends", {"-pthread"});
  buildWithGcc(directory.path(), {"plugin.cpp"}, "plugin.so", {"-fPIC", "-shared"});
  for (const Row &row : rows)
    check(directory, row, row.expected);
  CHECK(!hasProfiles(directory.path()));
}

TEST_CASE("ends: whether counters of Clang are whole") {
  TemporaryDirectory directory;
  copySources(directory);
  auto build = [&](std::vector<std::string> command) {
    for (const char *flag : {"-w", "-O2", "-D_FORTIFY_SOURCE=2", "-pthread",
                             "-fprofile-instr-generate", "-fcoverage-mapping", "-Wl,--build-id"})
      command.push_back(flag);
    command.insert(command.begin(), "clang++-19");
    runThere(directory.path(), command);
  };
  build({"ends.cpp", "-o", "ends"});
  build({"plugin.cpp", "-o", "plugin.so", "-fPIC", "-shared"});
  for (const Row &row : rows)
    check(directory, row, row.expectedOfClang);
}

TEST_CASE("ends: a program that is started by hand leaves no profile") {
  TemporaryDirectory directory;
  directory.write("f.cpp", "int main() { return 0; }\n");
  buildWithGcc(directory.path(), {"f.cpp"}, "f");
  runThere(directory.path(), {directory / "f"});
  CHECK(!hasProfiles(directory.path()));
}
