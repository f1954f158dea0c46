#include "tests/select_command/edited_copy.h"

using namespace retest;

namespace {

/// Debian's Bazel, with Debian's rules instead of downloads. Its server ends with this.
class Bazel {
public:
  Bazel() {
    std::string rules = directory_ / "output/rules_cc"; // where Bazel's own files are
    std::filesystem::create_directories(directory_ / "output");
    std::filesystem::copy("/usr/share/bazel/rules/cc", rules,
                          std::filesystem::copy_options::recursive);
    // These rules are newer than that Bazel.
    for (const char *name : {"compiler_flag.bzl", "cc_flags_supplier.bzl"})
      shell("sed -i -e 's/, \"use_cpp_toolchain\")/)/' -e 's/use_cpp_toolchain()/"
            "[\"@bazel_tools\\/\\/tools\\/cpp:toolchain_type\"]/' " +
            rules + "/cc/private/rules_impl/" + name);
    directory_.write("output/coverage/WORKSPACE", "");
    directory_.write("output/coverage/BUILD",
                     "[filegroup(name = n, visibility = ['//visibility:public']) "
                     "for n in ['coverage_report_generator', 'lcov_merger']]");
    std::string options = "build --symlink_prefix=/ --spawn_strategy=local\n";
    for (const auto &[repository, path] : std::vector<std::pair<std::string, std::string>>{
             {"rules_cc", rules},
             {"remote_coverage_tools", directory_ / "output/coverage"},
             {"platforms", "/usr/share/bazel/tools/platforms"},
             {"rules_java", "/usr/share/bazel/rules/java"},
             {"rules_proto", "/usr/share/bazel/rules/proto"},
             {"bazel_skylib", "/usr/share/bazel/tools/skylib"}})
      options += "common --override_repository=" + repository + "=" + path + "\n";
    directory_.write("bazelrc", options);
    directory_.write("bin/bazel", "#!/bin/sh\nexec /usr/bin/bazel --output_user_root=" +
                                      (directory_ / "output") +
                                      " --bazelrc=" + (directory_ / "bazelrc") + " \"$@\"\n");
    shell("chmod +x " + (directory_ / "bin/bazel"));
    setenv("PATH", ((directory_ / "bin") + ":" + getenv("PATH")).c_str(), 1);
  }
  ~Bazel() {
    // Its files may not be written to, not even by who removes them.
    shell("cd " + project_.path(".") + " && bazel shutdown; chmod -R u+w " +
          (directory_ / "output"));
  }

  const EditedCopy &project() const { return project_; }

  /// The labels of the tests that Bazel runs with the filter, in one line.
  std::string ran() const {
    std::string patterns = directory_ / "patterns", events = directory_ / "events";
    std::filesystem::remove(events);
    project_.succeed({"select", "-f", "bazel", "-o", patterns});
    shell("cd " + project_.path(".") + " && bazel test --target_pattern_file=" + patterns +
          " --build_event_json_file=" + events +
          "; grep -o '\"testSummary\":{\"label\":\"[^\"]*' " + events +
          " | sed 's/.*\"//' | LC_ALL=C sort -u > " + (directory_ / "labels"));
    std::ifstream file(directory_ / "labels");
    std::string labels;
    for (std::string label; std::getline(file, label);)
      labels += (labels.empty() ? "" : " ") + label;
    return labels;
  }

private:
  static void shell(const std::string &command) {
    llvm::Expected<ProcessResult> result = runProcess({.arguments = {"sh", "-c", command}});
    REQUIRE(!!result);
    REQUIRE_MESSAGE(result->succeeded(), result->errors);
  }

  TemporaryDirectory directory_;
  EditedCopy project_{PROJECT_DIRECTORY};
};

} // namespace

TEST_CASE("bazel: what an edit runs") {
  if (!std::filesystem::exists("/usr/bin/bazel")) {
    MESSAGE("skipped: bazel is not installed");
    return;
  }
  Bazel bazel;
  const EditedCopy &project = bazel.project();
  // retest.toml does not say what these run, or git does not have what they use.
  const std::string always =
      "//lib:ignored_test //lib:manual_test //lib:script_test //lib:words_test";
  const std::string all = "//:calc_test //lib:data_test //lib:ignored_test //lib:manual_test "
                          "//lib:plain_test //lib:script_test //lib:words_test";
  struct Row {
    std::string what, file, from, to, ran;
  };
  const Row rows[] = {
      {"what one test of a program crosses", "calc.cpp", "a - b", "a + -b",
       "//:calc_test //lib:data_test //lib:ignored_test //lib:manual_test //lib:script_test "
       "//lib:words_test"},
      {"what all cross", "calc.cpp", "a + b", "b + a", all},
      {"a test itself", "lib/plain_test.cpp", "2, 2", "1, 3",
       "//lib:ignored_test //lib:manual_test //lib:plain_test //lib:script_test //lib:words_test"},
      {"a comment: who else reads the header, as data for example, may see it", "calc.h", "once",
       "once // here", "//lib:data_test " + always},
      {"data that only Bazel knows of", "lib/table.txt", "table", "chair",
       "//lib:data_test " + always},
      {"what nobody reads", "notes.txt", "this", "that", always},
      {"what Bazel is told", "lib/BUILD", "[\"one\"]", "[\"two\"]", all},
      {"and told elsewhere", "options.rc", "=2", "=1", all},
      {"under what tests run", "lib/wrap.sh", "as it is", "as it was", all},
      {"what no test is made from, but something else", "lib/tool.sh", "cc", "c++", all},
  };
  CHECK(bazel.ran() == always);
  for (const Row &row : rows) {
    CAPTURE(row.what);
    Edit edit(project, row.file, row.from, row.to);
    CHECK(bazel.ran() == row.ran);
  }
  auto filter = [&] { return project.succeed({"select", "-f", "bazel"}); };
  {
    Edit mistake(project, "lib/BUILD", "cc_test(", "cc_test(("); // Bazel cannot be asked
    CHECK(filter() == "//...\n");
  }
  {
    Edit two(project, "retest.toml", "label = \"//lib:plain_test\"\nprogram = \"plain_test\"",
             "label = \"//lib:plain_test\"\nprogram = \"plain_test\"\n[[bazel]]\n"
             "label = \"//lib:plain_test\"\nprogram = \"calc_test\"");
    CHECK(filter() == "//...\n-//:calc_test\n-//lib:data_test\n-//lib:plain_test\n");
    Edit code(project, "calc.cpp", "a - b", "a + -b"); // calc_test has to run, and so both labels
    CHECK(filter() == "//...\n");
  }
  // Options that git does not have, in a file of another name than Bazel's.
  project.write("../user.rc", "");
  CHECK(filter() == "//...\n-//:calc_test\n-//lib:data_test\n-//lib:plain_test\n");
  std::filesystem::create_symlink("../user.rc", project.path("user.rc"));
  project.command({"git", "add", "user.rc"});
  CHECK(filter() == "//...\n");
  project.command({"git", "rm", "-q", "-f", "user.rc"});
  // Data behind a link that leads out of the repository.
  project.write("../table.txt", "one");
  std::filesystem::create_symlink("../../table.txt", project.path("lib/far_table.txt"));
  CHECK(filter() == "//...\n");
  project.command({"git", "add", "lib/far_table.txt"});
  project.command({"git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "link"});
  project.succeed({"record"});
  CHECK(filter() == "//...\n-//:calc_test\n-//lib:plain_test\n");
  project.command({"git", "rm", "-q", "lib/far_table.txt"});
  project.command({"git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "no link"});
  project.succeed({"record"});

  CHECK(project.succeed({"select", "-f", "bazel"}) ==
        "//...\n-//:calc_test\n-//lib:data_test\n-//lib:plain_test\n");
  Outcome outcome;
  {
    Edit code(project, "calc.cpp", "a - b", "a + -b");
    outcome = project.run({"select", "-f", "bazel"});
    CHECK_MESSAGE(outcome.err.find("with this filter they run too: calc_test::Calc.Plus") !=
                      std::string::npos,
                  outcome.err);
    CHECK_MESSAGE(outcome.err.find("//lib:data_test runs: //:calc.cpp has changed") !=
                      std::string::npos,
                  outcome.err);
  }
  {
    Edit silent(project, "retest.toml", "//:calc_test", "//:gone_test");
    outcome = project.run({"select", "-f", "bazel"});
    CHECK(outcome.out == "//...\n-//lib:data_test\n-//lib:plain_test\n");
    CHECK_MESSAGE(outcome.err.find("runs no //:gone_test") != std::string::npos, outcome.err);
  }
  // A deleted file: who used it, nobody can tell.
  std::filesystem::remove(project.path("notes.txt"));
  CHECK(project.succeed({"select", "-f", "bazel"}) == "//...\n");
  std::filesystem::remove(project.path("retest.toml"));
  outcome = project.run({"select", "-f", "bazel"});
  CHECK(outcome.out == "//...\n");
  CHECK_MESSAGE(outcome.err.find("[[bazel]]") != std::string::npos, outcome.err);
  // Without a baseline.
  std::filesystem::remove(project.storePath());
  CHECK(project.succeed({"select", "-f", "bazel"}) == "//...\n");
  CHECK(project.succeed({"select", "-f", "bazel", "--form", "include"}) == "//...\n");
  std::filesystem::remove(project.path("WORKSPACE"));
  outcome = project.run({"select", "-f", "bazel"});
  CHECK(outcome.code == 2);
  CHECK_MESSAGE(outcome.err.find("not the top of a Bazel workspace") != std::string::npos,
                outcome.err);
  project.write("WORKSPACE", ""); // Bazel does not end its server elsewhere
}
