#pragma once

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <cassert>
#include <string>

namespace retest {

/// A directory that lives as long as the test: `tree.write("src/a.cpp", "int a;")`.
class TemporaryTree {
public:
  TemporaryTree() {
    llvm::SmallString<128> made, real;
    std::error_code failure = llvm::sys::fs::createUniqueDirectory("retest", made);
    assert(!failure && "the temporary directory is writable");
    failure = llvm::sys::fs::real_path(made, real);
    assert(!failure && "the directory was just made");
    (void)failure;
    path = real.str().str();
  }
  ~TemporaryTree() { llvm::sys::fs::remove_directories(path); }
  TemporaryTree(const TemporaryTree &) = delete;
  TemporaryTree &operator=(const TemporaryTree &) = delete;

  /// The absolute path of a name in the tree.
  std::string at(llvm::StringRef name) const { return (path + "/" + name).str(); }

  std::string directory(llvm::StringRef name) const {
    llvm::sys::fs::create_directories(at(name));
    return at(name);
  }

  std::string write(llvm::StringRef name, llvm::StringRef text) const {
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(at(name)));
    std::error_code failure;
    llvm::raw_fd_ostream out(at(name), failure);
    assert(!failure && "the file is writable");
    out << text;
    return at(name);
  }

  /// A symbolic link; `target` is written as it is.
  std::string link(llvm::StringRef name, llvm::StringRef target) const {
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(at(name)));
    std::error_code failure = llvm::sys::fs::create_link(target, at(name));
    assert(!failure && "the link can be made");
    (void)failure;
    return at(name);
  }

  std::string path; ///< absolute and real
};

} // namespace retest
