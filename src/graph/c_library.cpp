#include "graph/c_library.h"

#include <dlfcn.h>

namespace retest {

bool isInCLibrary(const std::string &name) {
  // The libraries that this process has loaded anyhow; not all of it, which has LLVM's names, too.
  static void *const kLibraries[] = {dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD),
                                     dlopen("libm.so.6", RTLD_LAZY | RTLD_NOLOAD)};
  for (void *library : kLibraries)
    if (library && dlsym(library, name.c_str()))
      return true;
  return false;
}

} // namespace retest
