#include "tests/cases/case_file.h"

#include "support/error.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace retest {
namespace {

std::vector<std::string> linesOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> lines;
  for (llvm::StringRef part : parts)
    if (!part.trim().empty())
      lines.push_back(part.trim().str());
  return lines;
}

std::vector<std::string> wordsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::SplitString(text, parts);
  return {parts.begin(), parts.end()};
}

/// What stands behind the first word of a line, without the words for the reader.
std::string remarkCut(llvm::StringRef line) {
  return line.split(' ').second.trim().split("  ").first.str();
}

/// Puts one section where it belongs; false if its title says nothing known.
bool take(CaseFile &file, llvm::StringRef title, llvm::StringRef body) {
  if (title == "dangerous") {
    file.dangerous = linesOf(body);
    return true;
  }
  if (title == "doubts") {
    file.doubts = linesOf(body);
    return file.expectsDoubts = true;
  }
  if (title == "coverage") {
    file.coverage = linesOf(body);
    return true;
  }
  if (title == "expect") {
    file.expect = linesOf(body);
    for (std::string &line : file.expect) // "skip   a   because"
      line = wordsOf(line).front() + " " + remarkCut(line);
    return true;
  }
  std::vector<CaseVersion *> versions;
  if (title.consume_front("both"))
    versions = {&file.baseline, &file.current};
  else if (title.consume_front("baseline"))
    versions = {&file.baseline};
  else if (title.consume_front("current"))
    versions = {&file.current};
  for (CaseVersion *version : versions) {
    llvm::StringRef rest = title;
    if (rest.consume_front(": "))
      version->files[rest.str()] = body.str();
    else if (rest == " link")
      version->link = llvm::StringRef(body).trim().str();
    else if (rest.consume_front(" flags"))
      version->flags[rest.consume_front(": ") ? rest.str() : ""] = wordsOf(body);
    else
      return false;
  }
  return !versions.empty();
}

} // namespace

llvm::Expected<CaseFile> readCase(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return error("{}: {}", path, buffer.getError().message());
  CaseFile file;
  file.name = llvm::sys::path::stem(path).str();
  std::string title, body;
  auto finish = [&]() -> llvm::Error {
    if (title.empty())
      file.claim = llvm::StringRef(body).trim("# \n").str();
    else if (!take(file, title, body))
      return error("{}: no section is called '{}'", path, title);
    body.clear();
    return llvm::Error::success();
  };
  llvm::SmallVector<llvm::StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (llvm::StringRef line : lines) {
    llvm::StringRef inner = line;
    if (inner.consume_front("-- ") && inner.consume_back(" --")) {
      if (llvm::Error wrong = finish())
        return wrong;
      title = inner.str();
      continue;
    }
    body += line.str() + "\n";
  }
  if (llvm::Error wrong = finish())
    return wrong;
  return file;
}

} // namespace retest
