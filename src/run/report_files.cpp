#include "run/report_files.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <tuple>

namespace retest {

namespace {

/// Of what is there; the rest as it is.
std::string real(llvm::StringRef path) {
  llvm::SmallString<256> result;
  for (llvm::StringRef part = path; !part.empty(); part = llvm::sys::path::parent_path(part))
    if (!llvm::sys::fs::real_path(part, result)) {
      if (part.size() < path.size())
        llvm::sys::path::append(result, path.drop_front(part.size()));
      return result.str().str();
    }
  return path.str();
}

} // namespace

std::string reportPath(llvm::StringRef directory, llvm::StringRef file) {
  llvm::SmallString<256> path(file);
  if (!directory.empty())
    llvm::sys::fs::make_absolute(directory, path);
  std::ignore = llvm::sys::fs::make_absolute(path); // else it stays as it is written
  bool isDirectory = llvm::StringRef(path).ends_with("/");
  if (isDirectory)
    return real(llvm::StringRef(path).rtrim('/')) + "/";
  llvm::SmallString<256> result(real(llvm::sys::path::parent_path(path)));
  llvm::sys::path::append(result, llvm::sys::path::filename(path));
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

void ReportFiles::add(const std::string &report) {
  llvm::StringRef path = llvm::StringRef(report).rtrim('/');
  llvm::StringRef parent = llvm::sys::path::parent_path(path);
  if (path.size() != report.size()) {
    directories_.insert(report);
    parent = path;
  } else {
    paths_[report] = report;
    paths_[real(report)] = report;
    parents_.emplace(parent.str(), report);
  }
  for (; parent.size() > 1; parent = llvm::sys::path::parent_path(parent))
    ancestors_.emplace(parent.str(), report);
}

std::set<std::string> ReportFiles::usedBy(FileUseKind kind, llvm::StringRef path) const {
  std::set<std::string> used;
  auto addFrom = [&](const std::multimap<std::string, std::string> &reports) {
    for (auto [each, end] = reports.equal_range(path.str()); each != end; ++each)
      used.insert(each->second);
  };
  if (auto known = paths_.find(path.str()); known != paths_.end())
    used.insert(known->second);
  if (kind == FileUseKind::Listed) {
    addFrom(parents_);
    if (directories_.count((path + "/").str()))
      used.insert((path + "/").str());
  }
  if (kind == FileUseKind::Written)
    addFrom(ancestors_);
  if (!directories_.empty())
    for (llvm::StringRef parent = llvm::sys::path::parent_path(path); parent.size() > 1;
         parent = llvm::sys::path::parent_path(parent))
      if (directories_.count((parent + "/").str()))
        used.insert((parent + "/").str());
  return used;
}

} // namespace retest
