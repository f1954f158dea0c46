#pragma once

#include "run/stray_processes.h"

#include <llvm/Support/Error.h>

#include <memory>
#include <string>

namespace retest {

/// A directory for one run; removed with all it holds.
class RunDirectory {
public:
  /// With `strays`, processes that count there when it is closed are among them, and whoever begins
  /// later does it elsewhere.
  static llvm::Expected<std::unique_ptr<RunDirectory>> make(const std::string &base,
                                                            StrayProcesses *strays = nullptr);
  ~RunDirectory();
  RunDirectory(const RunDirectory &) = delete;
  RunDirectory &operator=(const RunDirectory &) = delete;

  const std::string &path() const { return path_; }
  std::string operator/(const std::string &name) const { return path_ + "/" + name; }
  std::string counters() const { return *this / (isClosed_ ? "closed" : "counters"); }
  /// Why a process could not keep its counters; empty: each could.
  std::string lostCounters() const;

  /// The run is over, and its group was killed: no more counter files will come.
  void close(pid_t group);
  /// Whether processes of the run went on when it was closed.
  bool hasStrays() const { return hasStrays_; }

private:
  RunDirectory(std::string path, StrayProcesses *strays)
      : path_(std::move(path)), strays_(strays) {}

  std::string path_;
  StrayProcesses *strays_;
  bool isClosed_ = false, hasStrays_ = false;
};

} // namespace retest
