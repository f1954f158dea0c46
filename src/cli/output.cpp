#include "cli/output.h"

#include "support/error.h"
#include "support/process.h"

#include <llvm/Support/FileSystem.h>

namespace retest {

namespace {

llvm::Error writeFile(const std::string &path, llvm::StringRef content) {
  std::error_code failed;
  llvm::raw_fd_ostream file(path, failed);
  if (!failed) {
    file << content;
    file.close();
    failed = file.error();
    file.clear_error(); // reported here; the stream would end the program
  }
  if (failed)
    return error("{}: cannot be written: {}; choose another place with -o FILE", path,
                 failed.message());
  return llvm::Error::success();
}

} // namespace

llvm::Expected<ExitCode> writeResult(const std::string &file, Context &context,
                                     llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write) {
  if (file.empty() || file == "-") {
    if (llvm::Error failed = write(context.out))
      return failed;
    return ExitCode::Success;
  }
  std::string content;
  llvm::raw_string_ostream out(content);
  if (llvm::Error failed = write(out))
    return failed;
  if (llvm::Error failed = writeFile(file, out.str()))
    return failed;
  return ExitCode::Success;
}

llvm::Error writeSvg(llvm::raw_ostream &out, const std::string &dot) {
  if (!findProgram("dot"))
    return error("dot: not found; install graphviz, or use --format dot");
  llvm::Expected<ProcessResult> picture = runProcess({.arguments = {"dot", "-Tsvg"}, .input = dot});
  if (!picture)
    return picture.takeError();
  if (!picture->succeeded())
    return error("dot: {}", picture->errors);
  out << picture->output;
  return llvm::Error::success();
}

} // namespace retest
