#include "build/link_resolver.h"
#include "build/command_line.h"
#include "build/language.h"
#include "build/paths.h"
#include "build/place.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <map>
#include <optional>

namespace retest {
namespace {

/// Paths that show how the project spells its directories: each directory of a command, and one
/// source.
std::vector<llvm::StringRef> spellings(const CompileDatabase &database) {
  std::vector<llvm::StringRef> examples;
  for (const Unit &unit : database.units)
    if (examples.empty() || examples.back() != unit.command.directory)
      examples.push_back(unit.command.directory);
  llvm::sort(examples);
  examples.erase(std::unique(examples.begin(), examples.end()), examples.end());
  if (!database.units.empty())
    examples.push_back(database.units.front().command.file);
  return examples;
}

/// Keys of all maps are names (ProjectPaths::nameOf), so that spellings do not matter.
class Resolver {
public:
  Resolver(const CompileDatabase &database, const ProjectPaths &paths) : paths_(paths) {
    for (const Unit &unit : database.units) {
      if (!unit.command.object.empty())
        units_[paths.nameOf(unit.command.object)].push_back(unit.name);
      unitsOfSource_[paths.nameOf(unit.command.file)].push_back(&unit);
    }
    for (const CompileCommand &other : database.others)
      if (!other.object.empty())
        others_.try_emplace(paths.nameOf(other.object), &other);
    places_ = placesOf(paths, spellings(database));
  }

  void addLinks(const LinkLines &lines) {
    for (const LinkCommand &link : lines.links) {
      std::string name = paths_.nameOf(link.output);
      auto [known, isNew] = links_.try_emplace(name, &link);
      if (!isNew && *known->second != link)
        notes_.push_back(fmt::format("{}: linked by two commands; the first one counts", name));
      if (!link.soname.empty())
        aliases_[paths_.nameOf(joinPath(llvm::sys::path::parent_path(link.output), link.soname))] =
            name;
    }
    compilations_ = &lines.compilations;
    for (const FileAlias &alias : lines.aliases)
      aliases_[paths_.nameOf(alias.path)] = paths_.nameOf(alias.target);
  }

  /// Commands that take the object of a unit and are not understood, and scripts of `ar`, which
  /// may take anything.
  void addUnknown(const LinkLines &lines, llvm::StringRef directory) {
    for (const std::vector<std::string> &words : lines.unknown)
      if (llvm::any_of(words, [&](llvm::StringRef word) {
            return (word.ends_with(".o") && units_.contains(nameFrom(directory, word))) ||
                   (word == "-M" && isToolName(words.front(), {"ar"}));
          }))
        notes_.push_back(fmt::format("not understood as a link: {}", llvm::join(words, " ")));
  }

  std::vector<Binary> binaries() {
    std::vector<Binary> result;
    for (const auto &[name, link] : links_) { // sorted by name
      if (link->isRelocatable)
        continue;
      Binary binary{name, link->kind, inputsOf(*link, 0), {}};
      for (const std::string &flag : link->flags)
        binary.flags.push_back(withoutPlaces(flag, places_));
      result.push_back(std::move(binary));
    }
    return result;
  }

  std::vector<std::string> takeNotes() { return std::move(notes_); }

private:
  std::string nameFrom(llvm::StringRef directory, llvm::StringRef path) const {
    return paths_.nameOf(absolutePath(directory, path));
  }

  std::vector<LinkInput> inputsOf(const LinkCommand &link, int depth) {
    std::vector<LinkInput> inputs;
    for (const LinkWord &word : link.inputs) {
      if (word.kind == LinkWord::Kind::Library)
        inputs.push_back(libraryInput(word, link.libraryDirectories));
      else
        addFile(inputs, link, word, depth);
    }
    return inputs;
  }

  void addFile(std::vector<LinkInput> &inputs, const LinkCommand &by, const LinkWord &word,
               int depth) {
    std::string name = paths_.nameOf(word.text);
    if (auto unit = units_.find(name); unit != units_.end()) {
      addUnits(inputs, unit->second);
      return;
    }
    if (const LinkCommand *link = linkOf(name); link && link->isRelocatable && depth < 32) {
      llvm::append_range(inputs, inputsOf(*link, depth + 1));
      return;
    }
    if (auto compiled = unitsOfSource_.find(name); compiled != unitsOfSource_.end()) {
      addSource(inputs, name, compiled->second, sourceOn(by, word.text));
      return;
    }
    if (auto binary = binaryInput(name, word)) {
      inputs.push_back(*binary);
      return;
    }
    LinkInput input = fileInput(name);
    if (auto other = others_.find(name); other != others_.end())
      input.command = *other->second;
    else if (std::optional<CompileCommand> source = sourceOn(by, word.text))
      input = {LinkInput::Kind::Object, name, std::move(source)};
    else if (std::optional<CompileCommand> compilation = compilationOf(name))
      input = {LinkInput::Kind::Object, name, std::move(compilation)};
    inputs.push_back(std::move(input));
  }

  /// How a command makes something of a source that it links; nothing if that is no source.
  static std::optional<CompileCommand> sourceOn(const LinkCommand &link, const std::string &path) {
    CompileCommand command{link.directory, path, link.output, link.arguments};
    Classification language = classify(command);
    bool isSource = language.kind == EntryKind::Unit ||
                    (language.kind == EntryKind::OtherLanguage && !language.isUnknown());
    return isSource && !link.arguments.empty() ? std::optional(std::move(command)) : std::nullopt;
  }

  /// By a command of the project. The commands of units are listed as well, so they are not looked
  /// at before somebody asks, and then only for what they write.
  std::optional<CompileCommand> compilationOf(const std::string &object) {
    if (!compilationByObject_) {
      compilationByObject_.emplace();
      for (const CompileCommand &command : *compilations_)
        for (const std::string &made : objectsOf(command))
          compilationByObject_->try_emplace(paths_.nameOf(made), &command);
    }
    auto known = compilationByObject_->find(object);
    if (known == compilationByObject_->end())
      return std::nullopt;
    const CompileCommand &command = *known->second;
    LinkCommand parsed = parseDriverLink(command.arguments, command.directory);
    for (const LinkWord &word : parsed.inputs)
      if (!parsed.output.empty() || paths_.nameOf(objectBeside(command, word.text)) == object)
        return CompileCommand{command.directory, word.text, paths_.pathOf(object),
                              parsed.arguments};
    return std::nullopt;
  }

  static std::vector<std::string> objectsOf(const CompileCommand &command) {
    for (std::size_t i = 1; i + 1 < command.arguments.size(); ++i)
      if (command.arguments[i] == "-o")
        return {absolutePath(command.directory, command.arguments[i + 1])};
    LinkCommand parsed = parseDriverLink(command.arguments, command.directory);
    if (!parsed.output.empty())
      return {parsed.output};
    std::vector<std::string> objects;
    for (const LinkWord &word : parsed.inputs)
      objects.push_back(objectBeside(command, word.text));
    return objects;
  }

  /// `c++ -c src/a.cc src/b.cc` makes a.o and b.o where it runs.
  static std::string objectBeside(const CompileCommand &command, llvm::StringRef source) {
    return absolutePath(command.directory, (llvm::sys::path::stem(source) + ".o").str());
  }

  /// One unit, as a rule. If several write the same object, whichever ran last is linked.
  void addUnits(std::vector<LinkInput> &inputs, const std::vector<std::string> &units) {
    for (const std::string &unit : units)
      inputs.push_back({LinkInput::Kind::Unit, unit});
  }

  /// A source on the link line: compiled and linked by one command. If no unit has the same words,
  /// what a unit reads is not all of it.
  void addSource(std::vector<LinkInput> &inputs, const std::string &name,
                 const std::vector<const Unit *> &units, std::optional<CompileCommand> command) {
    if (units.size() > 1)
      notes_.push_back(
          fmt::format("{}: linked as a source, but {} units compile it", name, units.size()));
    for (const Unit *unit : units)
      inputs.push_back({LinkInput::Kind::Unit, unit->name});
    auto isSame = [&](const Unit *unit) {
      return commandFingerprint(unit->command, paths_) == commandFingerprint(*command, paths_);
    };
    if (command && llvm::none_of(units, isSame))
      inputs.push_back({LinkInput::Kind::Object, name, std::move(command)});
  }

  LinkInput fileInput(const std::string &name) const {
    bool isInside = !llvm::StringRef(name).starts_with("/");
    return {isInside ? LinkInput::Kind::Object : LinkInput::Kind::External, name};
  }

  const LinkCommand *linkOf(const std::string &name) const {
    auto link = links_.find(name);
    return link == links_.end() ? nullptr : link->second;
  }

  /// The binary that a file name stands for: itself, a link to it (libx.so for libx.so.1.2), or
  /// the one with a version behind it if the command that makes the link is not known.
  std::optional<std::string> binaryNamed(const std::string &name) const {
    if (links_.contains(name))
      return name;
    if (auto alias = aliases_.find(name); alias != aliases_.end())
      if (links_.contains(alias->second))
        return alias->second;
    auto versioned = links_.lower_bound(name + ".");
    if (versioned != links_.end() && llvm::StringRef(name).contains(".so") &&
        llvm::StringRef(versioned->first).starts_with(name + "."))
      return versioned->first;
    return std::nullopt;
  }

  std::optional<LinkInput> binaryInput(const std::string &name, const LinkWord &word) const {
    auto binary = binaryNamed(name);
    if (!binary)
      return std::nullopt;
    bool isArchive = linkOf(*binary)->kind == BinaryKind::Archive;
    return LinkInput{isArchive ? LinkInput::Kind::Archive : LinkInput::Kind::SharedLibrary,
                     *binary,
                     {},
                     isArchive && word.isWhole};
  }

  /// `-lx`: the first of libx.so and libx.a in the given directories that the project makes or has.
  LinkInput libraryInput(const LinkWord &word, const std::vector<std::string> &directories) const {
    llvm::StringRef library = word.text;
    std::vector<std::string> files;
    if (library.consume_front(":"))
      files = {library.str()};
    else if (word.prefersArchive)
      files = {"lib" + word.text + ".a"};
    else
      files = {"lib" + word.text + ".so", "lib" + word.text + ".a"};
    for (const std::string &directory : directories)
      for (const std::string &file : files) {
        std::string path = joinPath(directory, file);
        std::string name = paths_.nameOf(path);
        if (auto binary = binaryInput(name, word))
          return *binary;
        if (llvm::sys::fs::exists(path))
          return fileInput(name);
      }
    return {LinkInput::Kind::External, "-l" + word.text};
  }

  const ProjectPaths &paths_;
  llvm::StringMap<std::vector<std::string>> units_; ///< by object
  llvm::StringMap<const CompileCommand *> others_;  ///< by object
  std::map<std::string, std::vector<const Unit *>> unitsOfSource_;
  const std::vector<CompileCommand> *compilations_ = nullptr;
  std::optional<std::map<std::string, const CompileCommand *>> compilationByObject_;
  std::map<std::string, const LinkCommand *> links_;
  std::map<std::string, std::string> aliases_;
  std::vector<Place> places_;
  std::vector<std::string> notes_;
};

/// Units that no binary contains: what they are for is not known.
std::optional<std::string> noteOnUnlinked(const std::vector<Binary> &binaries,
                                          const CompileDatabase &database) {
  llvm::StringSet<> linked;
  for (const Binary &binary : binaries)
    for (const LinkInput &input : binary.inputs)
      if (input.kind == LinkInput::Kind::Unit)
        linked.insert(input.name);
  std::vector<llvm::StringRef> left;
  for (const Unit &unit : database.units)
    if (!linked.contains(unit.name))
      left.push_back(unit.name);
  if (left.empty())
    return std::nullopt;
  return fmt::format("{} of {} units are linked into no binary (such as {})", left.size(),
                     database.units.size(), left.front().str());
}

} // namespace

LinkPlan resolveLinks(const LinkLines &lines, const CompileDatabase &database,
                      const ProjectPaths &paths) {
  Resolver resolver(database, paths);
  resolver.addLinks(lines);
  resolver.addUnknown(lines, paths.build);
  LinkPlan plan;
  plan.binaries = resolver.binaries();
  plan.source = lines.source;
  plan.notes = lines.notes;
  llvm::append_range(plan.notes, resolver.takeNotes());
  if (auto note = noteOnUnlinked(plan.binaries, database))
    plan.notes.push_back(*note);
  return plan;
}

} // namespace retest
