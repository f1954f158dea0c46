#pragma once

#include "db/store.h"
#include "tests/cli/small_project.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>

#include <filesystem>
#include <fstream>

namespace retest {

/// A copy of a project, prepared and recorded in this process, as the baseline "forked".
class RecordedCopy {
public:
  explicit RecordedCopy(const std::string &project,
                        const std::vector<std::string> &initOptions = {})
      : root_(directory_ / "project") {
    std::filesystem::copy(project, root_, std::filesystem::copy_options::recursive);
    if (findProgram("ccache"))
      setenv("CMAKE_CXX_COMPILER_LAUNCHER", "ccache", 1);
    std::vector<std::string> init = {"init"};
    init.insert(init.end(), initOptions.begin(), initOptions.end());
    succeed(init);
    said_ = succeed({"record", "--name", "forked"});
  }

  /// What `retest record` said.
  const std::string &said() const { return said_; }

  /// Records what is built once more; what that said.
  std::string recordAs(const std::string &name, const std::vector<std::string> &options) const {
    std::vector<std::string> arguments = {"record", "--no-build", "--name", name};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return succeed(arguments);
  }

  /// The tests that `retest who` names, in one line.
  std::string who(const std::string &what, const std::string &baseline = "forked") const {
    std::string output = succeed({"who", what, "--base", baseline});
    llvm::SmallVector<llvm::StringRef, 16> lines;
    llvm::StringRef(output).split(lines, '\n', -1, false);
    return llvm::join(lines, "; ");
  }

  /// `file:line` of the only line with a text.
  std::string place(const std::string &file, const std::string &text) const {
    std::ifstream lines(root_ + "/" + file);
    unsigned number = 0, found = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.find(text) == std::string::npos)
        continue;
      REQUIRE_MESSAGE(found == 0, file, " has more than one ", text);
      found = number;
    }
    REQUIRE_MESSAGE(found != 0, file, " has no ", text);
    return file + ":" + std::to_string(found);
  }

  CoverageMatrix matrix(const std::string &baseline = "forked") const {
    Store store =
        llvm::cantFail(Store::open(root_ + "/build-retest/.retest/retest.db", OpenMode::Read));
    BaselineIndex index = llvm::cantFail(store.loadIndex(baseline));
    return llvm::cantFail(llvm::cantFail(store.coverage(index.id))->whole());
  }

  /// Whether GCC's own runtime wrote something.
  bool hasProfiles() const {
    for (const auto &entry : std::filesystem::recursive_directory_iterator(root_))
      if (entry.path().extension() == ".gcda")
        return true;
    return false;
  }

private:
  std::string succeed(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-C", root_});
    Outcome outcome = runRetest(arguments);
    INFO(llvm::join(arguments, " "));
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return outcome.out;
  }

  TemporaryDirectory directory_;
  std::string root_, said_;
};

} // namespace retest
