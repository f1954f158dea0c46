// A program that uses files as its arguments say, in order: "op=path" or "op=path,path". Exits with
// 0 whether or not a call succeeds. Built dynamic and static.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <pthread.h>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int directory = AT_FDCWD; ///< as "enter" left it

void readAll(int file) {
  char bytes[4096];
  while (file >= 0 && read(file, bytes, sizeof bytes) > 0)
    ;
  if (file >= 0)
    close(file);
}

void writeTo(const char *path, int flags) {
  int file = open(path, flags, 0666);
  if (file >= 0 && write(file, "new", 3) == 3)
    close(file);
}

void list(const char *path) {
  if (DIR *entries = opendir(path)) {
    while (readdir(entries))
      ;
    closedir(entries);
  }
}

/// In a child process, which becomes the program.
void start(const char *program, char *const *environment) {
  char *arguments[] = {const_cast<char *>(program), nullptr};
  pid_t child = fork();
  if (child == 0) {
    execve(program, arguments, environment);
    _exit(9);
  }
  waitpid(child, nullptr, 0);
}

void startEmptied(const char *program) {
  char *none[] = {nullptr};
  start(program, none);
}

void inThread(const char *path) {
  pthread_t thread;
  auto body = [](void *place) -> void * {
    readAll(open(static_cast<const char *>(place), O_RDONLY));
    return nullptr;
  };
  pthread_create(&thread, nullptr, body, const_cast<char *>(path));
  pthread_join(thread, nullptr);
}

void inChild(const char *path) {
  pid_t child = fork();
  if (child == 0) {
    readAll(open(path, O_RDONLY));
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}

/// A child that does nothing but read the file is killed.
void killInCall(const char *path) {
  int ready[2];
  char byte = 0;
  if (pipe(ready) != 0)
    return;
  pid_t child = fork();
  if (child == 0)
    for (;;) {
      readAll(open(path, O_RDONLY));
      (void)write(ready[1], &byte, 1);
    }
  (void)read(ready[0], &byte, 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

/// A process that nobody waits for, in a session of its own, makes the file "late" when something
/// comes through the pipe.
void leave(const char *gate) {
  int ready[2];
  char byte = 0;
  if (pipe(ready) != 0)
    return;
  if (fork() == 0) {
    pollfd opened{open(gate, O_RDONLY | O_NONBLOCK), POLLIN, 0};
    setsid();
    (void)write(ready[1], &byte, 1);
    if (poll(&opened, 1, 60'000) > 0)
      writeTo("late", O_WRONLY | O_CREAT | O_TRUNC);
    _exit(0);
  }
  (void)read(ready[0], &byte, 1);
}

using One = void (*)(const char *);
using Two = void (*)(const char *, const char *);

const std::map<std::string, One> kOnPath = {
    {"read", [](const char *path) { readAll(open(path, O_RDONLY)); }},
    {"raw",
     [](const char *path) {
       readAll(static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY)));
     }},
    {"stream",
     [](const char *path) {
       if (FILE *file = std::fopen(path, "r"))
         std::fclose(file);
     }},
    {"thread", inThread},
    {"child", inChild},
    {"statEmpty",
     [](const char *name) {
       struct stat status;
       fstatat(AT_FDCWD, name, &status, AT_EMPTY_PATH);
     }},
    {"stat",
     [](const char *path) {
       struct stat status;
       stat(path, &status);
     }},
    {"lstat",
     [](const char *path) {
       struct stat status;
       lstat(path, &status);
     }},
    {"access", [](const char *path) { (void)access(path, R_OK); }},
    {"list", list},
    {"enter",
     [](const char *path) { // always number 3, whatever we inherited
       int opened = open(path, O_RDONLY | O_DIRECTORY);
       directory = opened < 0 ? opened : dup2(opened, 3);
     }},
    {"readat", [](const char *path) { readAll(openat(directory, path, O_RDONLY)); }},
    {"chdir", [](const char *path) { (void)chdir(path); }},
    {"create", [](const char *path) { writeTo(path, O_WRONLY | O_CREAT | O_TRUNC); }},
    {"append", [](const char *path) { writeTo(path, O_WRONLY | O_CREAT | O_APPEND); }},
    {"update", [](const char *path) { writeTo(path, O_RDWR); }},
    {"new", [](const char *path) { writeTo(path, O_WRONLY | O_CREAT | O_EXCL); }},
    {"chmod", [](const char *path) { chmod(path, 0600); }},
    {"remove", [](const char *path) { std::remove(path); }},
    {"mkdir", [](const char *path) { mkdir(path, 0777); }},
    {"start", [](const char *path) { start(path, environ); }},
    {"startEmptied", startEmptied},
    {"load", [](const char *path) { dlopen(path, RTLD_NOW); }},
    // What cannot be seen. Each fails, but that is not known when it is called.
    {"x32", [](const char *path) { syscall(0x40000000 | SYS_open, path, O_RDONLY); }},
    {"uring", [](const char *) { syscall(SYS_io_uring_setup, 0, nullptr); }},
    {"handle", [](const char *) { syscall(SYS_open_by_handle_at, -1, nullptr, 0); }},
    {"chroot", [](const char *) { (void)chroot("/no/such/root"); }},
    {"wild", [](const char *) { syscall(SYS_openat, AT_FDCWD, 16, O_RDONLY); }},
    // A process that is killed in the middle of a call, and one that outlives the test.
    {"killed", killInCall},
    {"session",
     [](const char *path) {
       pid_t child = fork();
       if (child == 0) {
         setsid();
         readAll(open(path, O_RDONLY));
         _exit(0);
       }
       waitpid(child, nullptr, 0);
     }},
    {"left", leave},
    {"await",
     [](const char *path) {
       while (access(path, F_OK) != 0)
         usleep(10'000);
     }},
    {"many",
     [](const char *count) {
       for (int i = std::atoi(count); i > 0; --i)
         readAll(open(("many/" + std::to_string(i)).c_str(), O_RDONLY));
     }},
};

const std::map<std::string, Two> kOnPaths = {
    {"rename", [](const char *from, const char *to) { std::rename(from, to); }},
    {"link", [](const char *from, const char *to) { (void)link(from, to); }},
    {"symlink", [](const char *from, const char *to) { (void)symlink(from, to); }},
};

} // namespace

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    char *path = std::strchr(argv[i], '=');
    if (!path)
      return 2;
    *path++ = 0;
    if (auto act = kOnPath.find(argv[i]); act != kOnPath.end()) {
      act->second(path);
      continue;
    }
    char *second = std::strchr(path, ',');
    auto act = kOnPaths.find(argv[i]);
    if (!second || act == kOnPaths.end())
      return 2;
    *second++ = 0;
    act->second(path, second);
  }
  return 0;
}
