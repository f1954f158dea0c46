#include "cov/formats.h"

#include "cov/probed_module.h"
#include "support/error.h"

namespace retest {

namespace {

using Loaded = llvm::Expected<std::unique_ptr<ModuleProbes>>;

Loaded loadClang(const std::string &path, const ModuleContext &context, FileNamer nameOf) {
  llvm::Expected<CountedModule> module = CountedModule::load(path);
  if (!module)
    return module.takeError();
  return std::make_unique<ProbedModule>(std::move(*module), context.project, context.names,
                                        context.units, nameOf);
}

Loaded loadGcc(const std::string &path, const ModuleContext &context, FileNamer nameOf) {
  llvm::Expected<GcovImage> image = GcovImage::load(path);
  if (!image)
    return image.takeError();
  return GcovModule::load(std::move(*image), context.project, context.names, context.units,
                          context.unitsByObject, nameOf);
}

} // namespace

Loaded loadProbes(const std::string &path, const ModuleContext &context, FileNamer nameOf) {
  std::string problems;
  for (auto load : {loadClang, loadGcc}) {
    Loaded loaded = load(path, context, nameOf);
    if (loaded)
      return loaded;
    problems += (problems.empty() ? "" : "; ") + llvm::toString(loaded.takeError());
  }
  return error("{}", problems);
}

} // namespace retest
