#include <cstdlib>
#include <dlfcn.h>
#include <string>

int load(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  auto plugin = reinterpret_cast<int (*)()>(dlsym(library, "plugin"));
  return plugin();
}

int main(int count, char **arguments) {
  if (count < 3)
    return 0;
  return std::string(arguments[1]) == "load" ? load(arguments[2]) : std::system(arguments[2]) != 0;
}
