#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <set>
#include <string>
#include <vector>

namespace retest {

/// A file that tests of a Bazel workspace are made from, or read.
struct BazelSource {
  std::string label; ///< "//lib:calc.cpp"
  std::string path;  ///< without links, there or not; empty: its repository was not found

  auto operator<=>(const BazelSource &) const = default;
};

/// What Bazel knows of the tests of a workspace.
struct BazelTests {
  std::vector<std::string> labels; ///< of all that `bazel test //...` runs; sorted
  /// Tests that are more than C++: of another rule, with data, or with something in the workspace
  /// behind them that is neither a library nor a test of C++.
  std::set<std::string> mixed;
  std::vector<BazelSource> sources; ///< of all of them together; sorted
  std::vector<BazelSource> others;  ///< of what no test is made from: tools, toolchains; sorted
  std::string outputBase;
  std::vector<std::string> own; ///< directories with what Bazel brings along, or fetches
};

/// Whether there is a workspace, of which this is the top.
bool isBazelWorkspace(llvm::StringRef directory);

/// Whether a file of that path says how Bazel builds and runs.
bool isBazelFile(llvm::StringRef path);

/// Whether it says what a package has, and nothing of how all is run.
bool isBuildFile(llvm::StringRef path);

/// Asks Bazel, which starts its server if there is none.
llvm::Expected<BazelTests> readBazelTests(const std::string &workspace);

/// Labels of the workspace that a text names, as .bazelrc and WORKSPACE do; sorted.
std::vector<std::string> labelsIn(llvm::StringRef text);

/// The files in the workspace that a .bazelrc imports, there or not: absolute paths.
std::vector<std::string> importsOf(llvm::StringRef bazelrc, llvm::StringRef workspace);

/// The files from which these labels are made, as far as they are known.
llvm::Expected<std::vector<BazelSource>> bazelSourcesOf(const std::string &workspace,
                                                        const BazelTests &bazel,
                                                        llvm::ArrayRef<std::string> labels);

/// The tests that are made from one of these files, or read it, by their labels; sorted.
llvm::Expected<std::vector<std::string>> bazelTestsUsing(const std::string &workspace,
                                                         llvm::ArrayRef<std::string> sources);

} // namespace retest
