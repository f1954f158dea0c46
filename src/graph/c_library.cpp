#include "graph/c_library.h"

#include <dlfcn.h>

namespace retest {

bool mayBeInCLibrary(const std::string &name, const char *library) {
  // Libraries that this process has loaded anyhow; not all of it, which has LLVM's names, too.
  void *cLibrary = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  void *mathematics = dlopen("libm.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return !cLibrary || dlsym(cLibrary, name.c_str()) ||
         (mathematics && dlsym(mathematics, name.c_str()));
}

} // namespace retest
