// Runs a command under the file monitor and prints what it did with files, a line for each.
//
//     watch_files ROOT[:ROOT...] DIRECTORY COMMAND...            once; DIRECTORY is for our own
//     files watch_files --time N ROOT[:ROOT...] DIRECTORY COMMAND...   N times with and N without,
//     in turn
#include "run/fork_server.h"
#include "run/run_program.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <llvm/ADT/StringRef.h>

using namespace retest;

namespace {

const char *const kWords[] = {"read", "missing", "listed", "executed", "written", "found"};

llvm::Expected<RunEnd> run(const ProgramRun &command, bool isWatched) {
  ProgramRun run = command;
  if (!isWatched)
    run.watched.reset();
  return runProgram(run);
}

long median(std::vector<long> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// One process for each run, and a server that forks them.
void time(const ProgramRun &command, int count) {
  std::vector<long> times[4];
  auto serverFor = [&](bool isWatched) {
    ServerCommand server{{command.arguments.front()}};
    server.directory = command.directory;
    server.counterDirectory = command.counterDirectory;
    if (isWatched)
      server.watched = command.watched;
    return llvm::cantFail(ForkServer::start(server));
  };
  ForkServer servers[2] = {serverFor(false), serverFor(true)};
  ServerRun forked{command.arguments, command.directory, command.outputFile, command.errorFile,
                   command.counterDirectory};
  for (int i = 0; i < count; ++i)
    for (int isWatched : {0, 1}) {
      times[isWatched].push_back(llvm::cantFail(run(command, isWatched)).wall.count());
      times[2 + isWatched].push_back(llvm::cantFail(servers[isWatched].run(forked)).wall.count());
    }
  std::printf("own process: %ld us, watched %ld us; forked: %ld us, watched %ld us\n",
              median(times[0]), median(times[1]), median(times[2]), median(times[3]));
}

} // namespace

int main(int argc, char **argv) {
  int count = 0;
  if (argc > 2 && std::string(argv[1]) == "--time") {
    count = std::atoi(argv[2]);
    argv += 2;
    argc -= 2;
  }
  if (argc < 4) {
    std::fputs("usage: watch_files [--time N] ROOT[:ROOT...] DIRECTORY COMMAND...\n", stderr);
    return 2;
  }
  if (llvm::Error failed = canWatchFiles()) {
    std::fprintf(stderr, "%s\n", llvm::toString(std::move(failed)).c_str());
    return 3;
  }
  llvm::SmallVector<llvm::StringRef> roots;
  llvm::StringRef(argv[1]).split(roots, ':');
  ProgramRun command;
  command.arguments.assign(argv + 3, argv + argc);
  command.directory = std::filesystem::current_path();
  command.outputFile = command.errorFile = std::string(argv[2]) + "/output";
  command.counterDirectory = argv[2];
  command.watched = WatchedPaths{};
  for (llvm::StringRef root : roots)
    command.watched->roots.push_back(std::filesystem::canonical(root.str()));
  command.watched->ignored = {std::filesystem::canonical(argv[2])};
  if (count > 0) {
    time(command, count);
    return 0;
  }
  RunEnd end = llvm::cantFail(run(command, true));
  for (const FileUse &use : end.files->files)
    std::printf("%s %s\n", kWords[static_cast<int>(use.kind)], use.path.c_str());
  if (!end.files->unmeasured.empty())
    std::printf("unmeasured %s\n", end.files->unmeasured.c_str());
  return 0;
}
