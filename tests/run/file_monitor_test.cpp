#include "run/file_monitor.h"
#include "run/fork_server.h"
#include "run/run_program.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>

using namespace retest;

namespace {

const char *wordFor(FileUseKind kind) {
  switch (kind) {
  case FileUseKind::Read:
    return "read";
  case FileUseKind::Missing:
    return "missing";
  case FileUseKind::Listed:
    return "listed";
  case FileUseKind::Executed:
    return "executed";
  case FileUseKind::Written:
    return "written";
  case FileUseKind::Found:
    return "found";
  }
  return "?";
}

std::string split(const std::string &text, std::vector<std::string> &words) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts)
    words.push_back(part.str());
  return text;
}

/// A small project, made anew for each row.
struct Project {
  Project() {
    root = std::filesystem::canonical(directory.path());
    for (const char *name : {"a", "b", "data/x", "data/y", "deep/er/z"})
      directory.write(name, std::string("content of ") + name);
    std::filesystem::create_directory_symlink("data", directory / "ln");
    std::filesystem::create_symlink("a", directory / "la");
    std::filesystem::create_symlink("nowhere", directory / "dangling");
    directory.write("script", "#!/bin/sh\nread line < a\n");
    directory.write("deeper-script", "#!" + root + "/script\n");
    for (const char *name : {"script", "deeper-script"})
      std::filesystem::permissions(directory / name, std::filesystem::perms::owner_all);
    std::filesystem::create_directory(directory / "counters");
    std::filesystem::create_directory(directory / "own");
    paths = {{root}, {root + "/counters", root + "/own"}};
  }

  ProgramRun command(const std::string &program, const std::string &arguments) const {
    ProgramRun run;
    run.arguments = {program};
    split(arguments, run.arguments);
    run.directory = root;
    run.outputFile = run.errorFile = root + "/own/output";
    run.counterDirectory = root + "/counters";
    run.timeout = std::chrono::seconds(60);
    run.watched = paths;
    return run;
  }

  FileObservations run(const std::string &arguments, const std::string &program = FILES_PROGRAM) {
    RunEnd end = llvm::cantFail(runProgram(command(program, arguments)));
    CHECK(end.exitCode == 0);
    CHECK(!end.timedOut);
    REQUIRE(end.files);
    return *end.files;
  }

  /// "read a, written b", without the working directory, which each run looks for.
  std::string told(const FileObservations &observations) const {
    std::string result;
    for (const FileUse &use : observations.files) {
      llvm::StringRef name = use.path;
      name.consume_front(root);
      if (name.empty() && use.kind == FileUseKind::Found)
        continue;
      if (!name.consume_front("/"))
        name = ".";
      result += (result.empty() ? "" : ", ") + std::string(wordFor(use.kind)) + " " + name.str();
    }
    return observations.unmeasured.empty() ? result : "unmeasured: " + observations.unmeasured;
  }

  TemporaryDirectory directory;
  std::string root;
  WatchedPaths paths;
};

struct Row {
  const char *arguments, *told;
};

const Row kUses[] = {
    {"", ""},
    {"read=a", "read a"},
    {"raw=a", "read a"},
    {"stream=a", "read a"},
    {"thread=a", "read a"},
    {"child=a", "read a"},
    {"read=a read=a child=a", "read a"},
    {"read=/etc/passwd", ""},
    // looking
    {"stat=a", "read a"},
    {"access=a", "read a"},
    {"stat=data", "found data"},
    {"stat=none", "missing none"},
    {"read=none", "missing none"},
    {"access=data/none/deeper", "missing data/none/deeper"},
    {"read=a/none", "missing a/none"},
    // listing
    {"list=data", "listed data, found data"},
    {"list=none", "missing none"},
    // relative paths
    {"chdir=deep/er read=z", "read deep/er/z, found deep/er"},
    {"chdir=deep/er read=../../a", "read a, found deep/er"},
    {"enter=deep readat=er/z", "read deep/er/z, found deep"},
    {"enter=deep readat=../a", "read a, found deep"},
    {"read=./deep//er/./z", "read deep/er/z"},
    {"read=none/../a", "missing none"},
    {"read=/proc/self/cwd/a", "read a"},
    {"read=/proc/self/cwd/none", "missing none"},
    {"enter=data read=/dev/fd/3/x", "read data/x, found data"},
    // links: what leads there, and what is there
    {"read=ln/x", "read data/x, read ln/x"},
    {"read=ln/none", "missing data/none, missing ln/none"},
    {"read=ln/../a", "read a"},
    {"read=la", "read a, read la"},
    {"lstat=la", "read la"},
    {"list=ln", "listed data, found data, found ln"},
    {"read=dangling", "missing dangling"},
    {"symlink=data,own-link read=own-link/x", "read data/x, written own-link"},
    // writing
    {"create=out", "written out"},
    {"create=out read=out stat=out", "written out"},
    {"create=out remove=out stat=out", "written out"},
    {"stat=out create=out read=out", "missing out, written out"},
    {"new=out", "written out"},
    {"new=a", "read a"},
    {"create=none/out", "missing none/out"},
    {"create=a read=a", "written a"},
    {"read=a create=a", "read a, written a"},
    {"append=a", "written a"},
    {"append=a read=a", "read a, written a"},
    {"update=a", "read a, written a"},
    {"update=none", "missing none"},
    {"chmod=a read=a", "read a, written a"},
    {"chmod=none", "missing none"},
    {"mkdir=tmp create=tmp/f read=tmp/f stat=tmp/none list=tmp remove=tmp/f remove=tmp stat=tmp/f",
     "written tmp, written tmp/f"},
    {"mkdir=data", "found data"},
    {"remove=a stat=a", "written a"},
    {"remove=none", "missing none"},
    {"create=ln/out", "written data/out, written ln/out"},
    // other names
    {"rename=a,c read=c stat=a", "read a, written a, written c"},
    {"rename=a,b read=b", "read a, written a, written b"},
    {"rename=a,none/b", "read a, written a, written none/b"},
    {"create=t rename=t,a read=a", "written a, written t"},
    {"rename=none,a read=a", "missing none, read a"},
    {"link=a,c read=c", "read a, written c"},
    {"mkdir=t rename=t,u create=u/f read=u/f", "written t, written u, written u/f"},
    {"rename=data,moved", "unmeasured: renames a directory that it did not make: ROOT/data"},
    // other programs
    {"start=script", "read a, read script, executed script"},
    {"startEmptied=script", "read a, read script, executed script"},
    {"start=deeper-script",
     "read a, read deeper-script, read script, executed deeper-script, executed script"},
    {"start=none", "missing none"},
    {"start=a", "read a, executed a"},
    // what cannot be seen
    {"x32=a", "unmeasured: runs a program of another architecture (32 bits?), whose files are not "
              "seen"},
    {"uring=", "unmeasured: uses io_uring, which opens files unseen"},
    {"handle=", "unmeasured: opens files by handle instead of by name"},
    {"chroot=", "unmeasured: changes which files it sees (mount, chroot or namespace)"},
    {"wild= read=a", "read a"},
    {"killed=a read=b", "read a, read b"},
};

} // namespace

TEST_CASE("file monitor: one row for each way to use a file, dynamic and static") {
  for (const char *program : {FILES_PROGRAM, FILES_STATIC_PROGRAM})
    for (const Row &row : kUses) {
      CAPTURE(program);
      CAPTURE(std::string(row.arguments));
      Project project;
      std::string expected = row.told;
      if (std::size_t place = expected.find("ROOT"); place != std::string::npos)
        expected.replace(place, 4, project.root);
      auto sorted = [](const std::string &told) {
        llvm::SmallVector<llvm::StringRef> parts;
        llvm::StringRef(told).split(parts, ", ");
        llvm::sort(parts);
        return llvm::join(parts, ", ");
      };
      CHECK(sorted(project.told(project.run(row.arguments, program))) == sorted(expected));
    }
}
