#pragma once

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <string>

namespace retest {

/// A directory that lives as long as the test: `tree.write("src/a.cpp", "int a;")`. A test whose
/// tree cannot be made ends at once.
class TemporaryTree {
public:
  TemporaryTree() {
    llvm::SmallString<128> made, real;
    must(llvm::sys::fs::createUniqueDirectory("retest", made));
    must(llvm::sys::fs::real_path(made, real));
    path = real.str().str();
  }
  ~TemporaryTree() { must(llvm::sys::fs::remove_directories(path)); }
  TemporaryTree(const TemporaryTree &) = delete;
  TemporaryTree &operator=(const TemporaryTree &) = delete;

  /// The absolute path of a name in the tree.
  std::string at(llvm::StringRef name) const { return (path + "/" + name).str(); }

  std::string directory(llvm::StringRef name) const {
    must(llvm::sys::fs::create_directories(at(name)));
    return at(name);
  }

  std::string write(llvm::StringRef name, llvm::StringRef text) const {
    makeParent(name);
    std::error_code failure;
    llvm::raw_fd_ostream out(at(name), failure);
    must(failure);
    out << text;
    return at(name);
  }

  /// A symbolic link; `target` is written as it is.
  std::string link(llvm::StringRef name, llvm::StringRef target) const {
    makeParent(name);
    must(llvm::sys::fs::create_link(target, at(name)));
    return at(name);
  }

  void remove(llvm::StringRef name) const {
    must(llvm::sys::fs::remove(at(name), /*IgnoreNonExisting=*/false));
  }

  std::string path; ///< absolute and real

private:
  static void must(std::error_code failure) {
    if (failure)
      llvm::report_fatal_error(llvm::StringRef("temporary tree: " + failure.message()));
  }

  void makeParent(llvm::StringRef name) const {
    must(llvm::sys::fs::create_directories(llvm::sys::path::parent_path(at(name))));
  }
};

} // namespace retest
