#include "support/git.h"

#include "support/process.h"
#include "tests/notation/temporary_directory.h"

#include <doctest/doctest.h>

using namespace retest;

namespace {

/// Runs git in the directory; what it prints.
std::string git(const TemporaryDirectory &directory, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"git", "-c", "user.name=n", "-c", "user.email=e"});
  ProcessResult result = llvm::cantFail(
      runProcess({.arguments = std::move(arguments), .directory = directory.path()}));
  REQUIRE(result.succeeded());
  return llvm::StringRef(result.output).trim().str();
}

std::string commit(const TemporaryDirectory &directory, const char *text) {
  git(directory, {"commit", "-q", "--allow-empty", "-m", text});
  return git(directory, {"rev-parse", "HEAD"});
}

} // namespace

TEST_CASE("git: which commits are in the history of the work tree") {
  TemporaryDirectory directory;
  CHECK(!isInHistory(directory.path(), "HEAD")); // no repository
  git(directory, {"init", "-q", "-b", "main"});
  std::string first = commit(directory, "first");
  git(directory, {"checkout", "-q", "-b", "side"});
  std::string side = commit(directory, "side");
  git(directory, {"checkout", "-q", "main"});
  std::string second = commit(directory, "second");
  CHECK(isInHistory(directory.path(), first));
  CHECK(isInHistory(directory.path(), second));
  CHECK(!isInHistory(directory.path(), side));
  CHECK(!isInHistory(directory.path(), std::string(40, '0')));
  CHECK(!isInHistory(directory.path(), "--all"));
  CHECK(gitCommit(directory.path(), "HEAD~1") == first);
  CHECK(gitCommit(directory.path(), "HEAD~2") == std::nullopt);
}

TEST_CASE("git: the files that differ from a commit") {
  using Files = std::optional<std::vector<std::string>>;
  TemporaryDirectory directory;
  CHECK(filesOfWorkTree(directory.path()) == std::nullopt);
  CHECK(filesChangedSince(directory.path(), "HEAD") == std::nullopt);
  git(directory, {"init", "-q", "-b", "main"});
  directory.write("kept", "1");
  directory.write(" odd\nname ", "1");
  directory.write("sub/moved", "1");
  directory.write(".gitignore", "*.o\n");
  git(directory, {"add", "-A"});
  std::string first = commit(directory, "first");
  CHECK(filesChangedSince(directory.path(), first) == Files{{}});
  git(directory, {"mv", "sub/moved", "sub/there"}); // both names, staged
  directory.write(" odd\nname ", "2");
  directory.write("sub/new", "1");
  directory.write("x.o", "1");
  CHECK(filesChangedSince(directory.path(), first) ==
        Files{{" odd\nname ", "sub/moved", "sub/there", "sub/new"}});
  CHECK(filesChangedSince(directory / "sub", first) == Files{{"moved", "there", "new"}});
  git(directory, {"commit", "-q", "-a", "-m", "second"});
  CHECK(filesChangedSince(directory.path(), first)->size() == 4);
  CHECK(filesChangedSince(directory.path(), "0123456789012345678901234567890123456789") ==
        std::nullopt);
  std::vector<std::string> all = *filesOfWorkTree(directory.path());
  CHECK(all.size() == 5); // without x.o
}
