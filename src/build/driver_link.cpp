#include "build/command_line.h"
#include "build/link_command.h"
#include "build/paths.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

#include <optional>
#include <tuple>

namespace retest {
namespace {

/// A word for the driver, or one that the driver hands to the linker (-Wl,x and -Xlinker x).
struct Word {
  std::string text;
  bool isForLinker = false;
};

std::vector<Word> wordsOf(llvm::ArrayRef<std::string> arguments, bool isLinker) {
  std::vector<Word> words;
  for (size_t i = 0; i < arguments.size(); ++i) {
    llvm::StringRef argument = arguments[i];
    llvm::SmallVector<llvm::StringRef, 4> parts;
    if (argument.consume_front("-Wl,")) {
      argument.split(parts, ',', -1, /*KeepEmpty=*/false);
      for (llvm::StringRef part : parts)
        words.push_back({part.str(), true});
    } else if (argument == "-Xlinker" && i + 1 < arguments.size()) {
      words.push_back({arguments[++i], true});
    } else {
      words.push_back({argument.str(), isLinker});
    }
  }
  return words;
}

/// Driver options whose value is the next word and no input.
bool takesValueInDriver(llvm::StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases("-x", "-I", "-D", "-U", "-isystem", "-include", "-iquote", "-idirafter", true)
      .Cases("-target", "-arch", "--sysroot", "-isysroot", "-B", "--param", "-Xclang", true)
      .Cases("-mllvm", "-Xassembler", "-Xpreprocessor", "-MF", "-MT", "-MQ", "-MJ", true)
      .Cases("-u", "-z", "-e", "-G", "-framework", "-dumpbase", "-dumpdir", true)
      .Default(false);
}

/// The same for the linker, where one dash or two make no difference.
bool takesValueInLinker(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("rpath", "rpath-link", "z", "e", "entry", "u", "undefined", "Map", true)
      .Cases("dynamic-linker", "m", "defsym", "init", "fini", "plugin", "plugin-opt", true)
      .Cases("y", "wrap", "f", "F", "a", "A", "b", "format", "export-dynamic-symbol", true)
      .Default(false);
}

/// Linker options that name a file which decides what is linked.
bool namesInput(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("T", "script", "version-script", "dynamic-list", "retain-symbols-file", true)
      .Cases("symbol-ordering-file", "just-symbols", true)
      .Default(false);
}

/// Reads the words from left to right, with the states that the linker keeps.
class Parser {
public:
  Parser(std::vector<Word> words, llvm::StringRef directory) : words_(std::move(words)) {
    link_.directory = directory.str();
  }

  LinkCommand parse() {
    for (; next_ < words_.size(); ++next_) {
      llvm::StringRef word = words_[next_].text;
      bool isForLinker = words_[next_].isForLinker;
      if (!word.starts_with("-") || word == "-")
        addFile(word);
      else if (!readCommonOption(word) &&
               !(isForLinker ? readLinkerOption(word) : readDriverOption(word)))
        link_.flags.push_back(word.str());
    }
    if (link_.output.empty())
      takeJoinedOutput();
    // CMake gives a soname to what other binaries link with, and none to plugins.
    if (isShared_)
      link_.kind = link_.soname.empty() ? BinaryKind::Module : BinaryKind::SharedLibrary;
    return std::move(link_);
  }

private:
  /// `-oname`, which looks like other options and counts only if there is no `-o name`.
  void takeJoinedOutput() {
    auto joined =
        llvm::find_if(link_.flags, [](llvm::StringRef flag) { return flag.starts_with("-o"); });
    if (joined == link_.flags.end())
      return;
    link_.output = absolutePath(link_.directory, llvm::StringRef(*joined).drop_front(2));
    link_.flags.erase(joined);
  }

  void addFile(llvm::StringRef path) {
    link_.inputs.push_back(
        {LinkWord::Kind::File, absolutePath(link_.directory, path), isWhole_, isStatic_});
  }

  /// The word behind the current one; empty at the end.
  std::string takeValue() { return next_ + 1 < words_.size() ? words_[++next_].text : ""; }

  /// The value of `-l x`, `-lx`, ...; nothing if the word is another option.
  std::optional<std::string> valueOf(llvm::StringRef word, llvm::StringRef option) {
    if (word == option)
      return takeValue();
    if (word.consume_front(option))
      return word.str();
    return std::nullopt;
  }

  /// What driver and linker spell alike.
  bool readCommonOption(llvm::StringRef word) {
    if (word == "-o" || word == "--output")
      link_.output = absolutePath(link_.directory, takeValue());
    else if (word == "-shared" || word == "-Bshareable")
      isShared_ = true;
    else if (word == "-r" || word == "--relocatable")
      link_.isRelocatable = true;
    else if (word == "-static" || word == "-static-pie")
      isStatic_ = true, link_.flags.push_back(word.str());
    else if (auto library = valueOf(word, "-l"))
      link_.inputs.push_back({LinkWord::Kind::Library, *library, isWhole_, isStatic_});
    else if (auto directory = valueOf(word, "-L"))
      link_.libraryDirectories.push_back(absolutePath(link_.directory, *directory));
    else if (word == "-T")
      addFile(takeValue());
    else
      return false;
    return true;
  }

  bool readDriverOption(llvm::StringRef word) {
    if (!takesValueInDriver(word))
      return false;
    link_.flags.push_back(word.str());
    link_.flags.push_back(takeValue());
    return true;
  }

  bool readLinkerOption(llvm::StringRef word) {
    auto [name, value] = word.ltrim('-').split('=');
    bool hasValue = word.contains('=');
    if (name == "whole-archive" || name == "no-whole-archive")
      isWhole_ = name == "whole-archive";
    else if (name == "push-state")
      saved_.push_back({isWhole_, isStatic_});
    else if (name == "pop-state")
      restoreState();
    else if (name == "Bstatic" || name == "dn" || name == "non_shared")
      isStatic_ = true;
    else if (name == "Bdynamic" || name == "dy" || name == "call_shared")
      isStatic_ = false;
    else if (name == "soname" || name == "h")
      link_.soname = hasValue ? value.str() : takeValue();
    else if (namesInput(name))
      addFile(hasValue ? value.str() : takeValue());
    else if (!hasValue && takesValueInLinker(name)) {
      link_.flags.push_back(word.str());
      link_.flags.push_back(takeValue());
    } else
      return false;
    return true;
  }

  void restoreState() {
    if (saved_.empty())
      return;
    std::tie(isWhole_, isStatic_) = saved_.pop_back_val();
  }

  std::vector<Word> words_;
  size_t next_ = 0;
  LinkCommand link_;
  bool isShared_ = false;
  bool isWhole_ = false;
  bool isStatic_ = false;
  llvm::SmallVector<std::pair<bool, bool>, 4> saved_;
};

} // namespace

LinkCommand parseDriverLink(llvm::ArrayRef<std::string> arguments, llvm::StringRef directory) {
  std::vector<std::string> expanded = expandResponseFiles(arguments.drop_front(), directory);
  LinkCommand link = Parser(wordsOf(expanded, isLinkerName(arguments.front())), directory).parse();
  link.arguments = std::move(expanded);
  link.arguments.insert(link.arguments.begin(), arguments.front());
  return link;
}

} // namespace retest
