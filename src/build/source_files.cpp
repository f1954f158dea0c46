#include "build/source_files.h"

#include "build/command_line.h"
#include "build/other_language.h"
#include "build/paths.h"
#include "support/git.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <optional>
#include <set>

namespace retest {
namespace {

namespace fs = llvm::sys::fs;

/// Options whose value is written by the compiler, or is for the linker, which tells its files by
/// itself.
bool hasOtherValue(llvm::StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases("-o", "--output", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-dumpdir", true)
      .Cases("-dumpbase", "-serialize-diagnostics", true)
      .Default(false);
}

bool isOtherValue(llvm::StringRef word) {
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"-o", "--output=", "-MF", "-MT", "-MQ", "-MJ",
                                                      "-Wl,", "-Wp,-MD,", "-Wp,-MMD,"},
                      [&](llvm::StringRef joined) { return word.starts_with(joined); });
}

/// What in a word may be a path: "-Iinc", "-fmodule-file=a=b.pcm", "-Wp,-include,x.h", "x.h".
std::vector<std::string> pathsIn(llvm::StringRef word) {
  std::vector<std::string> parts = {word.str()};
  for (std::size_t at = word.find_first_of("=,"); at != llvm::StringRef::npos;
       at = word.find_first_of("=,", at + 1))
    for (llvm::StringRef rest : {word.drop_front(at + 1), word.drop_front(at + 1).split(',').first})
      parts.push_back(rest.str());
  for (llvm::StringRef flag : {"-I", "-F", "-B", "-iquote", "-isystem", "-idirafter", "-include",
                               "-imacros", "-cxx-isystem", "-isysroot"})
    if (llvm::StringRef rest = word; rest.consume_front(flag))
      parts.push_back(rest.ltrim('=').str());
  llvm::append_range(parts, quotedIn(word)); // -DCONFIG="config.h"
  return parts;
}

/// Whether nobody knows from the words where an option leads.
bool leadsAnywhere(llvm::StringRef word) {
  return word.starts_with("-iprefix") || word.starts_with("-iwithprefix") ||
         word.contains("-ivfsoverlay") || word.starts_with("-fprebuilt-module-path");
}

bool isObject(llvm::StringRef content) {
  return content.starts_with("\x7f"
                             "ELF") ||
         content.starts_with("!<arch>") || content.starts_with("!<thin>");
}

/// With lines put together that a backslash continues.
std::string spliced(llvm::StringRef text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    llvm::StringRef rest = text.substr(i);
    if (rest.starts_with("\\\n"))
      i += 1;
    else if (rest.starts_with("\\\r\n"))
      i += 2;
    else
      result += text[i];
  }
  return result;
}

/// What a text may include.
struct Includes {
  std::vector<std::string> names;
  bool mayBeAnything = false; ///< a name is put together by macros, or is that of a module
};

bool isImport(llvm::StringRef line) {
  line.consume_front("export ");
  return line.ltrim().starts_with("import ") && line.contains(';') &&
         line.find_first_of("\"<") == llvm::StringRef::npos;
}

/// What stands behind `#include` and its like; nothing on other lines.
std::optional<llvm::StringRef> included(llvm::StringRef line) {
  if (!line.consume_front("#") && !line.consume_front("%:"))
    return std::nullopt;
  line = line.ltrim();
  for (llvm::StringRef word : {"include_next", "include", "import", "embed"})
    if (line.consume_front(word))
      return line.ltrim();
  return std::nullopt;
}

Includes includesOf(llvm::StringRef text) {
  Includes result;
  std::string whole = spliced(text);
  for (llvm::StringRef line : llvm::split(whole, '\n')) {
    llvm::append_range(result.names, quotedIn(line));
    line = line.trim();
    result.mayBeAnything |= isImport(line);
    std::optional<llvm::StringRef> what = included(line);
    if (!what || what->empty())
      continue;
    if (what->starts_with("/*"))
      what = what->substr(what->find("*/")).drop_front(2).ltrim();
    bool isQuoted = what->starts_with("\""), isAngled = what->starts_with("<");
    if (isQuoted || isAngled) // a name with blanks as well
      result.names.push_back(what->drop_front().split(isQuoted ? '"' : '>').first.str());
    else
      result.mayBeAnything = true;
  }
  return result;
}

/// Files that nobody includes, however a macro puts names together.
bool isNeverIncluded(llvm::StringRef path) {
  static const llvm::StringSet<> kEndings = {".md",  ".rst", ".html", ".pdf",  ".png",  ".jpg",
                                             ".gif", ".svg", ".zip",  ".gz",   ".xz",   ".bz2",
                                             ".py",  ".sh",  ".yml",  ".yaml", ".toml", ".cmake"};
  return kEndings.contains(llvm::sys::path::extension(path)) ||
         llvm::sys::path::filename(path) == "CMakeLists.txt";
}

/// What the build may generate to be included.
bool isHeader(llvm::StringRef path) {
  static const llvm::StringSet<> kEndings = {".h",   ".hh",  ".hpp", ".hxx", ".h++", ".H",  ".inc",
                                             ".inl", ".ipp", ".tcc", ".tpp", ".txx", ".def"};
  return kEndings.contains(llvm::sys::path::extension(path));
}

class SourceWalk {
public:
  SourceWalk(const CompileCommand &command, const ProjectPaths &paths)
      : command_(command), paths_(paths), directories_{command.directory} {}

  std::map<std::string, Fingerprint> run() {
    pending_ = {command_.file};
    readWords();
    while (!pending_.empty()) {
      std::string path = std::move(pending_.back());
      pending_.pop_back();
      readFile(path);
    }
    if (mayBeAnything_)
      addProject();
    return std::move(found_);
  }

private:
  void readWords() {
    std::vector<std::string> words = expandResponseFiles(command_.arguments, command_.directory);
    std::vector<std::string> names;
    for (std::size_t i = 1; i < words.size(); ++i) {
      mayBeAnything_ |= leadsAnywhere(words[i]);
      if (hasOtherValue(words[i]))
        ++i;
      else if (!isOtherValue(words[i]))
        llvm::append_range(names, pathsIn(words[i]));
    }
    for (const std::string &name : names)
      if (std::string path = absolutePath(command_.directory, name); fs::is_directory(path))
        directories_.push_back(path);
    llvm::sort(directories_);
    directories_.erase(std::unique(directories_.begin(), directories_.end()), directories_.end());
    for (const std::string &name : names)
      lookFor(name, command_.directory);
  }

  /// All that a name may mean: which of them the compiler takes depends on how it is written.
  void lookFor(llvm::StringRef name, llvm::StringRef beside) {
    constexpr std::size_t kLongest = 1000;
    if (name.empty() || name.size() > kLongest || name.contains('\0'))
      return;
    addIfThere(absolutePath(beside, name));
    for (const std::string &directory : directories_)
      addIfThere(absolutePath(directory, name));
  }

  void addIfThere(std::string path) {
    if (seen_.insert(path).second && path != command_.object && fs::is_regular_file(path))
      pending_.push_back(std::move(path));
  }

  void readFile(const std::string &path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    if (!file || isObject((*file)->getBuffer()))
      return;
    std::string name = paths_.nameOf(path);
    if (!found_.try_emplace(name, fingerprintOf((*file)->getBuffer())).second)
      return;
    Includes includes = includesOf((*file)->getBuffer());
    // A header of somebody else names a file of the project only if that gave it the name.
    mayBeAnything_ |= includes.mayBeAnything && !llvm::StringRef(name).starts_with("/");
    for (const std::string &each : includes.names)
      lookFor(each, llvm::sys::path::parent_path(path));
  }

  void add(const std::string &path) {
    if (path == command_.object)
      return;
    if (auto file = llvm::MemoryBuffer::getFile(path); file && !isObject((*file)->getBuffer()))
      found_.try_emplace(paths_.nameOf(path), fingerprintOf((*file)->getBuffer()));
  }

  void addProject() {
    std::optional<std::vector<std::string>> files = filesOfWorkTree(paths_.root);
    for (const std::string &file : files.value_or(std::vector<std::string>()))
      if (!isNeverIncluded(file))
        add(joinPath(paths_.root, file));
    addBelow(paths_.build, isHeader);
    if (!files)
      addBelow(paths_.root, [](llvm::StringRef path) { return !isNeverIncluded(path); });
  }

  void addBelow(const std::string &directory, llvm::function_ref<bool(llvm::StringRef)> isWanted) {
    std::error_code code;
    for (fs::recursive_directory_iterator each(directory, code, /*follow_symlinks=*/false), end;
         each != end && !code; each.increment(code)) {
      llvm::StringRef name = llvm::sys::path::filename(each->path());
      if (name == ".git" || name == ".retest" || name == "CMakeFiles" ||
          each->path() == paths_.build)
        each.no_push();
      else if (isWanted(name) && fs::is_regular_file(each->path()))
        add(each->path());
    }
  }

  const CompileCommand &command_;
  const ProjectPaths &paths_;
  std::vector<std::string> directories_;
  std::vector<std::string> pending_;
  std::set<std::string> seen_;
  std::map<std::string, Fingerprint> found_;
  bool mayBeAnything_ = false;
};

} // namespace

std::map<std::string, Fingerprint> filesOfSource(const CompileCommand &command,
                                                 const ProjectPaths &paths) {
  return SourceWalk(command, paths).run();
}

} // namespace retest
