#include "build/bazel.h"

#include "build/paths.h"
#include "support/error.h"
#include "support/process.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace retest {

namespace {

/// What `bazel test //...` runs. A query also finds what is run only if it is asked for, by its
/// label or in a suite.
constexpr char kTests[] = R"((tests(//...) except attr(tags, "[\[ ]manual[,\]]", //...)) )"
                          R"(union tests(kind("test_suite rule", //...)))";
/// Rules of the workspace of which no comparison of C++ knows what they do, and tests with data.
constexpr char kMixed[] =
    R"((kind("rule", //...) except kind("^(cc_library|cc_test|test_suite) rule", //...)) )"
    R"(union attr(data, "[^\[\]]", //...))";
/// A server that is busy, or fetches something, is not waited for without end.
constexpr std::chrono::minutes kPatience{2};

enum class Answer { Whole, Partial };

llvm::Expected<std::string> askBazel(const std::string &workspace,
                                     std::vector<std::string> arguments,
                                     Answer wanted = Answer::Whole) {
  arguments.insert(arguments.begin(), "bazel");
  llvm::Expected<ProcessResult> answer =
      runProcess({.arguments = std::move(arguments), .directory = workspace, .timeout = kPatience});
  if (!answer)
    return answer.takeError();
  if (answer->timedOut)
    return error("bazel did not answer in {} minutes", kPatience.count());
  constexpr int kPartialSuccess = 3;
  if (answer->succeeded() || (wanted == Answer::Partial && answer->exitCode == kPartialSuccess))
    return std::move(answer->output);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(answer->errors).split(lines, '\n', -1, false);
  auto problem = llvm::find_if(lines, [](auto line) { return line.starts_with("ERROR"); });
  return error("bazel failed: {}", problem == lines.end() ? "it does not say why" : problem->str());
}

llvm::Expected<std::vector<std::string>>
query(const std::string &workspace, const std::string &expression, Answer wanted = Answer::Whole) {
  std::vector<std::string> words = {"query", "--noshow_progress", "--output=label", "--tool_deps",
                                    "--implicit_deps"};
  if (wanted == Answer::Partial)
    words.emplace_back("--keep_going");
  llvm::append_range(words, std::vector<std::string>{"--", expression});
  llvm::Expected<std::string> answer = askBazel(workspace, std::move(words), wanted);
  if (!answer)
    return answer.takeError();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(*answer).split(lines, '\n', -1, false);
  std::vector<std::string> labels(lines.begin(), lines.end());
  llvm::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

/// " "//a:b" "//c:d"", as set() takes them.
llvm::Expected<std::string> quotedWords(llvm::ArrayRef<std::string> labels) {
  std::string words;
  for (const std::string &label : labels) {
    if (llvm::StringRef(label).contains('"'))
      return error("{}: bazel query cannot be asked for such a name", label);
    words += " \"" + label + "\"";
  }
  return words;
}

/// Where the file lies. One of another repository may lie in the workspace as well
/// (`local_repository`), behind a link.
std::string pathOf(llvm::StringRef label, const std::string &workspace,
                   const std::string &outputBase) {
  auto [repository, rest] = label.split("//");
  std::string top = workspace;
  if (llvm::StringRef name = repository.ltrim('@'); !name.empty())
    top = joinPath(joinPath(outputBase, "external"), name);
  auto [package, target] = rest.split(':');
  return llvm::sys::fs::exists(top) ? realPath(joinPath(joinPath(top, package), target)) : "";
}

llvm::Expected<std::vector<BazelSource>> sourcesOf(const std::string &workspace,
                                                   const std::string &outputBase,
                                                   const std::string &targets, Answer wanted) {
  auto labels = query(workspace, R"(kind("source file", deps()" + targets + "))", wanted);
  if (!labels)
    return labels.takeError();
  std::vector<BazelSource> sources;
  for (const std::string &label : *labels)
    sources.push_back({label, pathOf(label, workspace, outputBase)});
  return sources;
}

/// A character of a package, or of a target behind its colon.
bool isInLabel(char c) { return llvm::isAlnum(c) || llvm::StringRef("/._-+").contains(c); }

} // namespace

bool isBazelWorkspace(llvm::StringRef directory) {
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>{"WORKSPACE", "WORKSPACE.bazel", "MODULE.bazel"},
      [&](llvm::StringRef name) {
        return llvm::sys::fs::is_regular_file(joinPath(directory, name));
      });
}

bool isBuildFile(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  return name == "BUILD" || name == "BUILD.bazel";
}

bool isBazelFile(llvm::StringRef path) {
  llvm::StringRef name = llvm::sys::path::filename(path);
  // Also x.bazelrc, which another one imports, and x.BUILD or BUILD.x for a repository.
  return name == "BUILD" || name.starts_with("BUILD.") || path == "tools/bazel" ||
         name == "WORKSPACE" || name.starts_with(".bazel") || name.starts_with("MODULE.bazel") ||
         name.starts_with("WORKSPACE.") || name.ends_with(".bazel") || name.ends_with(".bazelrc") ||
         name.ends_with(".bzl") || name.ends_with(".scl") || name.ends_with(".BUILD");
}

llvm::Expected<BazelTests> readBazelTests(const std::string &workspace) {
  auto labels = query(workspace, kTests);
  if (!labels)
    return labels.takeError();
  auto mixed = query(workspace, "tests(rdeps(//..., " + std::string(kMixed) + "))");
  if (!mixed)
    return mixed.takeError();
  llvm::Expected<std::string> base = askBazel(workspace, {"info", "output_base"});
  if (!base)
    return base.takeError();
  BazelTests tests;
  tests.outputBase = llvm::StringRef(*base).trim().str();
  auto sources = sourcesOf(workspace, tests.outputBase, "tests(//...)", Answer::Whole);
  if (!sources)
    return sources.takeError();
  auto all = sourcesOf(workspace, tests.outputBase, "//...", Answer::Whole);
  if (!all)
    return all.takeError();
  tests.labels = std::move(*labels);
  tests.mixed.insert(mixed->begin(), mixed->end());
  tests.sources = std::move(*sources);
  std::set_difference(all->begin(), all->end(), tests.sources.begin(), tests.sources.end(),
                      std::back_inserter(tests.others));
  // Beside the output of this workspace lie those of others, and Bazel's own files.
  tests.own = {realPath(llvm::sys::path::parent_path(tests.outputBase)), "/usr"};
  return tests;
}

std::vector<std::string> labelsIn(llvm::StringRef text) {
  std::set<std::string> labels;
  for (std::size_t at = text.find("//"); at != llvm::StringRef::npos;
       at = text.find("//", at + 1)) {
    llvm::StringRef before = text.take_front(at);
    if (before.ends_with(":") || (!before.empty() && isInLabel(before.back())))
      continue; // of a URL, or of another repository
    llvm::StringRef package = text.drop_front(at).take_while(isInLabel);
    llvm::StringRef rest = text.drop_front(at + package.size());
    llvm::StringRef target = rest.consume_front(":") ? rest.take_while(isInLabel) : "";
    if (package != "//" || !target.empty())
      labels.insert(package.str() + (target.empty() ? "" : ":" + target.str()));
  }
  return {labels.begin(), labels.end()};
}

std::vector<std::string> importsOf(llvm::StringRef bazelrc, llvm::StringRef workspace) {
  std::vector<std::string> files;
  llvm::SmallVector<llvm::StringRef> lines;
  bazelrc.split(lines, '\n', -1, false);
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (!line.consume_front("try-import") && !line.consume_front("import"))
      continue;
    line = line.trim().trim('"');
    line.consume_front("%workspace%/");
    files.push_back(absolutePath(workspace, line));
  }
  return files;
}

llvm::Expected<std::vector<BazelSource>> bazelSourcesOf(const std::string &workspace,
                                                        const BazelTests &bazel,
                                                        llvm::ArrayRef<std::string> labels) {
  if (labels.empty())
    return std::vector<BazelSource>();
  auto words = quotedWords(labels);
  if (!words)
    return words.takeError();
  return sourcesOf(workspace, bazel.outputBase, "set(" + *words + ")", Answer::Partial);
}

llvm::Expected<std::vector<std::string>> bazelTestsUsing(const std::string &workspace,
                                                         llvm::ArrayRef<std::string> sources) {
  auto words = quotedWords(sources);
  if (!words)
    return words.takeError();
  return query(workspace, "tests(rdeps(//... union tests(//...), set(" + *words + ")))");
}

} // namespace retest
