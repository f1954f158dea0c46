#include "run/traced_process.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/uio.h>
#include <unistd.h>

namespace retest {
namespace {

constexpr std::uint64_t kPage = 4096;

std::optional<std::string> linkTarget(const std::string &link) {
  char target[PATH_MAX];
  ssize_t size = readlink(link.c_str(), target, sizeof target);
  if (size <= 0 || size == sizeof target)
    return std::nullopt;
  return std::string(target, static_cast<std::size_t>(size));
}

/// Codes with which a look-up says that there is nothing, to us as to the process.
bool isAbsence(int code) {
  return code == ENOENT || code == ENOTDIR || code == EACCES || code == ELOOP ||
         code == ENAMETOOLONG || code == EINVAL;
}

/// Finds out what is at a path. An errno value: why there is nothing.
int look(const std::string &path, LastLink last, std::string &real, struct stat &status) {
  // Only a place in the file system: neither a pipe nor a device notices.
  int file = open(path.c_str(), O_PATH | O_CLOEXEC | (last == LastLink::Keep ? O_NOFOLLOW : 0));
  if (file < 0)
    return errno;
  auto close = llvm::make_scope_exit([&] { ::close(file); });
  std::optional<std::string> target = linkTarget(fmt::format("/proc/self/fd/{}", file));
  if (!target || fstat(file, &status) != 0)
    return errno;
  real = *target;
  return 0;
}

std::string joined(const std::string &directory, llvm::StringRef rest) {
  return (directory == "/" ? "/" : directory + "/") + rest.str();
}

/// Removes "." and "..", which has a meaning only where the links before it are resolved.
/// An errno value if there is no such directory: then the path is that of the directory.
int normalise(std::string &path) {
  std::string result;
  llvm::StringRef rest = path;
  while (!rest.empty()) {
    auto [part, next] = rest.split('/');
    rest = next;
    if (part.empty() || part == ".")
      continue;
    if (part == "..") {
      struct stat status;
      std::string real;
      if (int code = look(result.empty() ? "/" : result, LastLink::Follow, real, status)) {
        path = result;
        return code;
      }
      result = llvm::StringRef(real).rsplit('/').first.str();
    } else {
      result += '/';
      result += part;
    }
  }
  path = result.empty() ? "/" : result;
  return 0;
}

/// The path with the links of those directories resolved that exist.
std::string realPlace(llvm::StringRef path) {
  for (std::size_t slash = path.rfind('/'); slash != llvm::StringRef::npos && slash != 0;
       slash = path.rfind('/', slash)) {
    struct stat status;
    std::string real;
    if (look(path.take_front(slash).str(), LastLink::Follow, real, status) == 0)
      return joined(real, path.drop_front(slash + 1));
  }
  return path.str();
}

/// Where a link that leads nowhere leads: a file that is made there is found through it.
std::string behindLinks(std::string path) {
  for (int depth = 0; depth < 40; ++depth) {
    std::optional<std::string> target = linkTarget(path);
    if (!target)
      break;
    path = target->starts_with('/')
               ? *target
               : joined(llvm::StringRef(path).rsplit('/').first.str(), *target);
    if (normalise(path) != 0)
      break;
  }
  return path;
}

/// A number in /proc/PID/status; 0 if there is none.
pid_t statusOf(pid_t process, llvm::StringRef field) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  pid_t value = 0;
  for (std::string line; std::getline(status, line);)
    if (llvm::StringRef text = line; text.consume_front(field))
      return text.trim().getAsInteger(10, value) ? 0 : value;
  return 0;
}

} // namespace

void TracedProcess::fail(const std::string &path, int code) {
  if (failure_.empty())
    failure_ = fmt::format("cannot look at {} as it did: {}", path, std::strerror(code));
}

bool TracedProcess::bytes(std::uint64_t address, void *data, std::size_t size) {
  iovec here{data, size}, there{reinterpret_cast<void *>(address), size};
  ssize_t count = process_vm_readv(thread_, &here, 1, &there, 1, 0);
  if (count < 0 && errno != EFAULT && errno != ESRCH)
    fail("its memory", errno);
  return count == static_cast<ssize_t>(size);
}

std::optional<std::string> TracedProcess::text(std::uint64_t address) {
  std::string result;
  while (result.size() < PATH_MAX) {
    char part[kPage];
    std::size_t size = std::min<std::size_t>(kPage - address % kPage, 256); // most are short
    if (!bytes(address, part, size))
      return std::nullopt;
    std::size_t length = strnlen(part, size);
    result.append(part, length);
    if (length < size)
      return result;
    address += size;
  }
  return std::nullopt; // ENAMETOOLONG
}

bool TracedProcess::hasVariable(std::uint64_t environment, const std::string &name) {
  std::uint64_t entry = 0;
  std::string start(name.size() + 1, '\0');
  for (; bytes(environment, &entry, sizeof entry) && entry != 0; environment += sizeof entry)
    if (bytes(entry, start.data(), start.size()) && start == name + "=")
      return true;
  return false;
}

std::optional<std::string> TracedProcess::openFile(int descriptor) {
  std::optional<std::string> path =
      linkTarget(descriptor == AT_FDCWD ? fmt::format("/proc/{}/cwd", thread_)
                                        : fmt::format("/proc/{}/fd/{}", thread_, descriptor));
  if (!path && errno != ENOENT && errno != ESRCH)
    fail("its open files", errno);
  return path && path->starts_with('/') ? path : std::nullopt;
}

/// "self" would mean us.
std::string TracedProcess::ownPath(std::string path) const {
  struct Own {
    const char *prefix, *stands;
  };
  for (Own own :
       {Own{"/proc/self", ""}, Own{"/proc/thread-self", ""}, Own{"/dev/fd", "/fd"},
        Own{"/dev/stdin", "/fd/0"}, Own{"/dev/stdout", "/fd/1"}, Own{"/dev/stderr", "/fd/2"}}) {
    llvm::StringRef rest = path;
    if (rest.consume_front(own.prefix) && (rest.empty() || rest.starts_with("/")))
      return fmt::format("/proc/{}{}{}", thread_, own.stands, rest.str());
  }
  return path;
}

std::optional<NamedFile> TracedProcess::named(int directory, std::string path, LastLink last) {
  if (path.empty())
    return std::nullopt;
  if (path.front() != '/') {
    std::optional<std::string> base = openFile(directory);
    if (!base)
      return std::nullopt;
    path = joined(*base, path);
  }
  if (llvm::StringRef(path).ends_with("/"))
    last = LastLink::Follow;
  NamedFile file;
  path = ownPath(path);
  int code = normalise(path);
  file.spelled = ownPath(path);
  if (code == 0)
    code = look(file.spelled, last, file.real, file.status);
  file.exists = code == 0;
  if (code == 0)
    return file;
  if (!isAbsence(code))
    fail(file.spelled, code);
  file.real = realPlace(last == LastLink::Follow ? behindLinks(file.spelled) : file.spelled);
  return file;
}

pid_t TracedProcess::process() {
  pid_t process = statusOf(thread_, "Tgid:");
  return process > 0 ? process : thread_;
}

pid_t TracedProcess::below(pid_t ancestor) {
  for (pid_t child = process(); child > 1;) {
    pid_t parent = statusOf(child, "PPid:");
    if (parent == ancestor)
      return child;
    child = parent;
  }
  return 0;
}

} // namespace retest
