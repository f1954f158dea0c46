#pragma once

#include "tests/cli/small_project.h"

#include <llvm/ADT/StringExtras.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace retest {

/// A copy of a project in a git repository of its own, with its tests recorded.
class EditedCopy {
public:
  enum class Place { Usual, BehindLink };

  explicit EditedCopy(const std::string &project) : EditedCopy(project, {}) {}
  /// Prepared with these options.
  EditedCopy(const std::string &project, std::vector<std::string> init, Place place = Place::Usual)
      : root_(directory_ / "project") {
    if (place == Place::BehindLink) {
      std::filesystem::create_directory(directory_ / "really");
      std::filesystem::create_directory_symlink("really", root_);
    }
    std::filesystem::copy(project, root_, std::filesystem::copy_options::recursive);
    if (findProgram("ccache"))
      setenv("CMAKE_CXX_COMPILER_LAUNCHER", "ccache", 1);
    write(".gitignore", "build-retest/\nmade.txt\n");
    git({"init", "-q", "-b", "main"});
    commit("first");
    makeLibrary("int extra() { return 1; }");
    init.insert(init.begin(), "init");
    if (std::filesystem::exists(path("CMakeLists.txt"))) {
      if (!llvm::is_contained(init, "--"))
        init.push_back("--");
      init.push_back("-DEXTRA=" + library());
    }
    succeed(init);
    succeed({"record"});
  }

  std::string path(const std::string &name) const { return root_ + "/" + name; }
  std::string storePath() const { return path("build-retest/.retest/retest.db"); }

  /// An archive outside of the project, which its tool is linked with.
  std::string library() const { return directory_ / "outside/libextra.a"; }
  void makeLibrary(const std::string &code) const {
    directory_.write("outside/extra.cpp", code);
    command({"clang++-19", "-c", directory_ / "outside/extra.cpp", "-o",
             directory_ / "outside/extra.o"});
    command({"ar", "rcs", library(), directory_ / "outside/extra.o"});
  }

  std::string read(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(path(name)) << text;
  }

  void command(const std::vector<std::string> &arguments) const {
    llvm::Expected<ProcessResult> result = runProcess({.arguments = arguments, .directory = root_});
    REQUIRE(!!result);
    REQUIRE_MESSAGE(result->succeeded(), result->errors);
  }
  void git(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"git", "-c", "user.name=n", "-c", "user.email=e"});
    command(arguments);
  }
  void commit(const std::string &message) const {
    git({"add", "-A"});
    git({"commit", "-q", "-m", message});
  }

  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-C", root_});
    return runRetest(arguments);
  }
  std::string succeed(const std::vector<std::string> &arguments) const {
    Outcome outcome = run(arguments);
    INFO(llvm::join(arguments, " "));
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return outcome.out;
  }

  /// The ids of the selected tests, in one line; "-": none.
  std::string selected(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"select", "-f", "list"});
    std::string output = succeed(options);
    llvm::SmallVector<llvm::StringRef, 16> lines;
    llvm::StringRef(output).split(lines, '\n', -1, false);
    return lines.empty() ? "-" : llvm::join(lines, " ");
  }
  llvm::json::Object json(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"select", "-f", "json"});
    return std::move(*llvm::cantFail(llvm::json::parse(succeed(options))).getAsObject());
  }

private:
  TemporaryDirectory directory_;
  std::string root_;
};

/// A file with one text in place of another, as long as this lives.
class Edit {
public:
  Edit(const EditedCopy &copy, std::string name, const std::string &from, const std::string &to)
      : copy_(copy), name_(std::move(name)), before_(copy.read(name_)) {
    std::string text = before_;
    std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    copy_.write(name_, text.replace(at, from.size(), to));
  }
  Edit(const Edit &) = delete;
  Edit &operator=(const Edit &) = delete;
  ~Edit() { copy_.write(name_, before_); }

private:
  const EditedCopy &copy_;
  std::string name_, before_;
};

} // namespace retest
