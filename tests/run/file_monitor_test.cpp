#include "run/file_filter.h"
#include "run/file_monitor.h"
#include "run/fork_server.h"
#include "run/run_program.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <cstring>
#include <filesystem>
#include <future>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

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

  ForkServer startServer() const {
    ServerCommand command;
    command.arguments = {FILES_PROGRAM};
    command.directory = root;
    command.counterDirectory = root + "/counters";
    command.watched = paths;
    return llvm::cantFail(ForkServer::start(command));
  }

  std::string run(ForkServer &server, const std::string &arguments) {
    ProgramRun alone = command(FILES_PROGRAM, arguments);
    RunEnd end =
        llvm::cantFail(server.run({alone.arguments, alone.directory, alone.outputFile,
                                   alone.errorFile, alone.counterDirectory, alone.timeout}));
    CHECK(end.exitCode == 0);
    REQUIRE(end.files);
    return told(*end.files);
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
    {"statEmpty=a", "read a"},
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
    {"lstat=la", "read la, found la"},
    {"list=ln", "listed data, found data, found ln"},
    {"read=dangling", "missing dangling, missing nowhere"},
    {"create=dangling read=nowhere", "written dangling, written nowhere"},
    {"lstat=dangling", "missing dangling"},
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
    {"remove=data stat=data/none", "missing data/none, written data"},
    {"remove=data/x remove=data/y remove=data stat=data/none",
     "written data, written data/x, written data/y"},
    {"create=ln/out", "written data/out, written ln/out"},
    // other names
    {"rename=a,c read=c stat=a", "read a, written a, written c"},
    {"rename=a,b read=b", "read a, written a, written b"},
    {"rename=a,none/b", "read a, written a, written none/b"},
    {"create=t rename=t,a read=a", "written a, written t"},
    {"rename=none,a read=a", "missing none, read a"},
    {"link=a,c read=c", "read a, written c"},
    // calls that fail make nothing
    {"link=a,b read=b", "read a, read b, written b"},
    {"rename=a,data read=data/x", "read a, read data/x, written a, written data"},
    {"create=data read=data/x", "read data/x, written data"},
    {"mkdir=none/sub stat=none/sub/x", "missing none/sub, missing none/sub/x"},
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
    {"session=a", "read a"},
};

} // namespace

namespace {

/// With the root filled in, and in an order of words.
std::string expectation(std::string told, const Project &project) {
  if (std::size_t place = told.find("ROOT"); place != std::string::npos)
    told.replace(place, 4, project.root);
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(told).split(parts, ", ");
  llvm::sort(parts);
  return llvm::join(parts, ", ");
}

std::optional<FileUse> use(const FileObservations &observations, FileUseKind kind,
                           const std::string &path) {
  for (const FileUse &each : observations.files)
    if (each.kind == kind && each.path == path)
      return each;
  return std::nullopt;
}

} // namespace

TEST_CASE("file monitor: one row for each way to use a file, dynamic and static") {
  for (const char *program : {FILES_PROGRAM, FILES_STATIC_PROGRAM})
    for (const Row &row : kUses) {
      CAPTURE(program);
      CAPTURE(std::string(row.arguments));
      Project project;
      std::string told = project.told(project.run(row.arguments, program));
      CHECK(expectation(told, project) == expectation(row.told, project));
    }
}

TEST_CASE("file monitor: the same rows under a fork server, each charged to its own test") {
  for (const Row &row : kUses) {
    CAPTURE(std::string(row.arguments));
    Project project;
    ForkServer server = project.startServer();
    REQUIRE(server.filesBeforeMain());
    CHECK(project.told(*server.filesBeforeMain()) == "");
    auto run = [&](const std::string &arguments) { return project.run(server, arguments); };
    CHECK(run("read=deep/er/z") == "read deep/er/z");
    CHECK(expectation(run(row.arguments), project) == expectation(row.told, project));
    CHECK(run("read=deep/er/z") == "read deep/er/z");
  }
}

TEST_CASE("file monitor: what an earlier test of a fork server left is not the next one's") {
  Project project;
  ForkServer server = project.startServer();
  REQUIRE(mkfifo((project.root + "/gate").c_str(), 0600) == 0);
  CHECK(project.run(server, "left=gate") == "found gate");
  CHECK(project.run(server, "append=gate await=late") ==
        "unmeasured: ran beside a process that may be left from an earlier test");
  CHECK(project.run(server, "read=a") == "read a");
}

TEST_CASE("file monitor: contents are those that the test saw") {
  Project project;
  FileStates files;
  FileObservations read = project.run("read=a list=data read=data/x");
  addContents(read, files);
  CHECK(use(read, FileUseKind::Read, project.root + "/a")->content ==
        fingerprintOf("content of a"));
  Fingerprint listing = use(read, FileUseKind::Listed, project.root + "/data")->content;
  CHECK(listing != Fingerprint{});

  FileObservations changed = project.run("read=la create=a update=b list=data");
  addContents(changed, files);
  for (const char *name : {"/a", "/la"})
    CHECK(use(changed, FileUseKind::Read, project.root + name)->content ==
          fingerprintOf("content of a"));
  CHECK(use(changed, FileUseKind::Read, project.root + "/b")->content ==
        fingerprintOf("content of b"));
  CHECK(use(changed, FileUseKind::Listed, project.root + "/data")->content == listing);

  project.directory.write("data/another", "");
  FileObservations again = project.run("read=a list=data remove=b");
  addContents(again, files);
  CHECK(use(again, FileUseKind::Read, project.root + "/a")->content == fingerprintOf("new"));
  CHECK(use(again, FileUseKind::Listed, project.root + "/data")->content != listing);
}

TEST_CASE("file monitor: what somebody else changes while the test runs is not known") {
  struct Edit {
    const char *arguments, *edited, *unknown;
  };
  const Edit edits[] = {
      {"read=a create=ready await=late", "a", "/a"},
      {"read=la create=ready await=late", "a", "/a"},
      {"list=data create=ready await=late", "data/new", "/data"},
      {"read=a create=ready await=late create=a", "a", "/a"},
      {"read=a create=ready await=late", "b", ""},
      {"create=ready await=late read=a", "a", ""},
  };
  for (const Edit &edit : edits) {
    CAPTURE(std::string(edit.arguments));
    Project project;
    std::thread editor([&] {
      while (!std::filesystem::exists(project.directory / "ready"))
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      project.directory.write(edit.edited, "other");
      project.directory.write("late", "");
    });
    FileObservations seen = project.run(edit.arguments);
    editor.join();
    std::string unknown =
        *edit.unknown == 0
            ? ""
            : project.root + edit.unknown + " was changed by somebody else while the test ran";
    CHECK(seen.unmeasured == unknown);
  }
}

TEST_CASE("file monitor: what was found or missing is kept as it was when the test looked") {
  Project project;
  auto path = [&](const char *name) { return project.root + "/" + name; };
  const std::optional<Fingerprint> link = kindAt(path("dangling"));
  REQUIRE(link);
  FileObservations seen = project.run("stat=data/new read=dangling list=deep/er remove=deep/er/z "
                                      "remove=deep/er symlink=nothing,data/new create=nowhere");
  CHECK(use(seen, FileUseKind::Missing, path("data/new"))->content == Fingerprint{});
  CHECK(use(seen, FileUseKind::Missing, path("dangling"))->content == link);
  CHECK(use(seen, FileUseKind::Missing, path("nowhere"))->content == Fingerprint{});
  CHECK(use(seen, FileUseKind::Found, path("deep/er"))->content == kindAt(path("data")));
}

TEST_CASE("file monitor: a listing is that of the names which the test did not make") {
  for (const char *arguments : {
           "list=data", "list=data create=data/n", "list=data remove=data/x",
           "list=data rename=data/x,data/z", "list=data create=data/n list=data remove=data/n",
           "create=data/n list=data remove=data/n",
           "create=data/n list=data create=data/m remove=data/m remove=data/n",
           "create=data/n list=data rename=data/n,data/m remove=data/m",
           "create=data/n list=data remove=data/x remove=data/n",
           "create=data/x list=data remove=data/x", // emptied, not made
       }) {
    CAPTURE(std::string(arguments));
    Project project;
    const std::string data = project.root + "/data";
    const std::optional<Fingerprint> before = listingOf(data);
    FileStates files;
    FileObservations listed = project.run(arguments);
    addContents(listed, files);
    CHECK(use(listed, FileUseKind::Listed, data)->content == before);
  }
}

TEST_CASE("file monitor: who looks again after a change is seen again") {
  Project project;
  const std::string link = project.root + "/la";
  CHECK(project.told(project.run(fmt::format("stat={0} stat={0} remove={0} symlink=b,{0} stat={0}",
                                             link))) == "read a, read b, read la, written la");
}

TEST_CASE("file monitor: programs of the project, and which of them cannot be measured") {
  Project project;
  std::filesystem::copy_file(FILES_PROGRAM, project.directory / "program");
  std::filesystem::copy_file(FILES_STATIC_PROGRAM, project.directory / "static");
  std::filesystem::copy_file(FIXTURE_LIBRARY, project.directory / "library.so");
  project.directory.write("by-program", "#!" + project.root + "/program\n");
  std::filesystem::permissions(project.directory / "by-program", std::filesystem::perms::owner_all);
  std::string program = project.root + "/program";
  using Programs = std::vector<StartedProgram>;

  FileObservations own = project.run("", program);
  CHECK(project.told(own) == "executed program");
  CHECK(own.programs == Programs{{program, true}});
  CHECK(project.run("start=program").programs == Programs{{program, true}});
  CHECK(project.run("startEmptied=program").programs == Programs{{program, false}});
  CHECK(project.run("start=by-program").programs == Programs{{program, true}});
  CHECK(project.run("start=static").programs == Programs{{project.root + "/static", false}});
  CHECK(project.run("start=/bin/true").programs == Programs{});
  CHECK(project.run("read=program").programs == Programs{});
  CHECK(project.told(project.run("load=" + project.root + "/library.so")) == "executed library.so");
}

TEST_CASE("file monitor: a process that outlives its test goes on") {
  Project project;
  REQUIRE(mkfifo((project.root + "/gate").c_str(), 0600) == 0);
  project.run("left=gate");
  project.run("append=gate await=late"); // comes to its end
}

TEST_CASE("file monitor: a test that never ends, and one that cannot be started") {
  Project project;
  ProgramRun hangs = project.command("/bin/sh", "");
  hangs.arguments = {"/bin/sh", "-c", "while :; do read line < a; done"};
  hangs.timeout = std::chrono::milliseconds(300);
  RunEnd end = llvm::cantFail(runProgram(hangs));
  CHECK(end.timedOut);
  CHECK(end.files);

  llvm::Expected<RunEnd> none = runProgram(project.command("/no/such/program", ""));
  REQUIRE(!none);
  CHECK(llvm::toString(none.takeError()).find("no such program") != std::string::npos);
}

TEST_CASE("file monitor: whether there can be one") {
  CHECK(!llvm::errorToBool(canWatchFiles()));
  std::string nested;
  std::thread([&] {
    int listener = llvm::cantFail(installFileFilter());
    nested = llvm::toString(canWatchFiles());
    close(listener);
  }).join();
  CHECK(nested == "cannot watch the files of tests: this program is being watched itself");
}

TEST_CASE("files: a child that is being started does not wait for a retest that is gone") {
  std::promise<std::pair<pid_t, int>> installed;
  std::thread starter([&] {
    int listener = llvm::cantFail(installFileFilter());
    installed.set_value({static_cast<pid_t>(syscall(SYS_gettid)), listener});
    ChildCommand command{{"/bin/true"}};
    command.closed = {listener};
    llvm::Expected<ChildProcess> child = ChildProcess::start(command);
    CHECK(!child); // it could not even become the program
    llvm::consumeError(child.takeError());
  });
  auto [thread, listener] = installed.get_future().get();
  for (;;) { // what the thread does itself goes on; the first call of the child does not
    alignas(seccomp_notif) char buffer[1024] = {};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, buffer) != 0)
      continue;
    seccomp_notif call;
    std::memcpy(&call, buffer, sizeof call);
    if (static_cast<pid_t>(call.pid) != thread)
      break;
    seccomp_notif_resp response{};
    response.id = call.id;
    response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
  }
  close(listener); // as the end of the process does
  starter.join();
}
