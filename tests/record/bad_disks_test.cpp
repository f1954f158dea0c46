// Recording where nothing can be written. File systems are mounted for one process and its children
// alone (unshare); where that is not allowed, these test cases say so and do nothing.
#include "tests/record/recorded_project.h"

using namespace retest;

namespace {

/// Runs a shell script that may mount. Its arguments are $1, ...; retest is $RETEST.
struct MountingScript {
  const RecordedProject &project = RecordedProject::get();

  bool canMount() const {
    bool can = run("mount -t tmpfs -o size=64k tmpfs \"$1\"", {project.build()}).succeeded();
    if (!can)
      MESSAGE("skipped: file systems cannot be mounted here");
    return can;
  }

  ProcessResult run(const std::string &script, std::vector<std::string> arguments) const {
    std::vector<std::string> command = {"unshare", "-m", "sh", "-c", script, "sh"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return project.run(command, {{"RETEST", RETEST_PROGRAM}, {"XDG_RUNTIME_DIR", ""}});
  }
};

/// A small file system at $1, with what is in $2 and then no room: but $4 kilobytes.
const char *const kFillDisk =
    "mount -t tmpfs -o size=$3 tmpfs \"$1\" && cp -r \"$2\"/. \"$1\" || exit 90\n"
    "head -c $4 /dev/zero > \"$1/room\"\n"
    "cat /dev/zero > \"$1/filler\" 2> /dev/null\n"
    "rm \"$1/room\"\n";

bool contains(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("full disk: the store cannot grow; the old baseline stands") {
  MountingScript script;
  if (!script.canMount())
    return;
  const RecordedProject &project = script.project;
  std::string place = project.path("store");
  std::filesystem::create_directories(place);
  std::filesystem::create_directories(project.path("copy"));
  CHECK(project.retest({"db", "export", "old", "-o", project.path("old.retest")}).succeeded());
  CHECK(project
            .retest({"db", "import", project.path("old.retest")},
                    {{"RETEST_STORE", project.path("copy/retest.db")}})
            .succeeded());
  // Room for the files beside a store, which even readers need, or for nothing at all.
  for (const char *room : {"0", "50000", "100000"}) {
    CAPTURE(room);
    ProcessResult result = script.run(
        std::string(kFillDisk) + "export RETEST_STORE=\"$1/retest.db\"\n"
                                 "\"$RETEST\" record --name new; echo \"code $?\"\n"
                                 "rm \"$1/filler\"\n"
                                 "\"$RETEST\" db check && \"$RETEST\" db export old -o \"$5\"\n"
                                 "\"$RETEST\" record --name new > /dev/null && echo again\n",
        {place, project.path("copy"), "8m", room, project.path("exported")});
    CAPTURE(result.output);
    CAPTURE(result.errors);
    CHECK(contains(result.output, "code 6\n"));
    CHECK(contains(result.errors, "retest.db: "));
    CHECK(contains(result.output, "all whole\n"));
    CHECK(contains(result.output, "again\n"));
    CHECK(contentOf(project.path("exported")) == project.old().exported);
  }
}

TEST_CASE("full disk: no room for counters; each test is there, unmeasured") {
  MountingScript script;
  if (!script.canMount())
    return;
  const RecordedProject &project = script.project;
  // The directory in memory is too small, so the state directory is taken, and that is full.
  ProcessResult result = script.run(
      "mount -t tmpfs -o size=16m tmpfs /dev/shm || exit 90\n"
      "cp -r \"$1\" \"$2\"; " +
          std::string(kFillDisk) + "export RETEST_STORE=\"$5\"\n\"$RETEST\" record -v --name new\n",
      {project.state(), project.path("state"), "16m", "400000", project.path("full.db")});
  CAPTURE(result.errors);
  CAPTURE(result.output);
  CHECK(result.exitCode == 0);
  CHECK(contains(result.errors, "output of tests: "));
  CHECK(!contains(result.errors, "output of tests: /dev/shm"));
  CHECK(contains(result.output, "not measured, so always selected: 8\n"));
  CHECK(contains(result.output, "could not be kept: No space left on device\n"));
  CHECK(!contains(result.output, "crashed"));
}

TEST_CASE("read-only directories are told before any test runs") {
  MountingScript script;
  if (!script.canMount())
    return;
  const RecordedProject &project = script.project;
  const std::string readOnly =
      "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" || exit 90\n";
  ProcessResult build = script.run(readOnly + "\"$RETEST\" record --name new", {project.build()});
  CHECK_MESSAGE(build.exitCode == 3, build.errors);
  CHECK(contains(build.errors, "record.lock: cannot be written: Read-only file system"));
  std::string store = project.path("read-only");
  std::filesystem::create_directories(store);
  ProcessResult moved =
      script.run(readOnly + "RETEST_STORE=\"$1/retest.db\" \"$RETEST\" record --name new", {store});
  CHECK_MESSAGE(moved.exitCode == 6, moved.errors);
  CHECK(contains(moved.errors, "retest.db: cannot be "));
  CHECK(!contains(moved.errors, "Testing"));
  project.checkWhole();
}
