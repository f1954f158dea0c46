#include "config/read_config.h"

#include "support/error.h"

#include <llvm/ADT/STLExtras.h>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace retest {

namespace {

ConfigPlace placeOf(const toml::source_region &source) {
  return {source.begin.line, source.begin.column};
}

class ConfigReader {
public:
  explicit ConfigReader(const std::string &path) : path_(path) {}

  ConfigFile read(const toml::table &table) {
    ConfigFile file;
    file.path = path_;
    checkKeys(table, {"always", "bazel", "build", "harmless", "profile", "quarantine", "roots",
                      "triggers"});
    file.values = values(table);
    if (const toml::node *profiles = table.get("profile"))
      readProfiles(*profiles, file);
    return file;
  }

  /// As they stand in the file: tables are read in order of their keys.
  llvm::Error problems() {
    llvm::stable_sort(problems_, llvm::less_first());
    llvm::Error all = llvm::Error::success();
    for (const auto &[where, text] : problems_)
      all = llvm::joinErrors(std::move(all),
                             error(ErrorKind::Usage, "{}: {}", placeText(path_, where), text));
    return all;
  }

private:
  template <class... Args>
  void wrong(ConfigPlace where, fmt::format_string<Args...> format, Args &&...args) {
    problems_.emplace_back(where, fmt::format(format, std::forward<Args>(args)...));
  }

  void checkKeys(const toml::table &table, llvm::ArrayRef<llvm::StringRef> known) {
    for (auto &&[key, value] : table)
      if (!llvm::is_contained(known, llvm::StringRef(key.str())))
        wrong(placeOf(key.source()), "'{}': there is no such key here{}", key.str(),
              suggestionFor(llvm::StringRef(key.str()), known));
  }

  void readProfiles(const toml::node &node, ConfigFile &file) {
    const toml::table *profiles = node.as_table();
    if (!profiles) {
      wrong(placeOf(node.source()), "'profile': write [profile.NAME] and what holds there below");
      return;
    }
    for (auto &&[name, profile] : *profiles) {
      const toml::table *table = profile.as_table();
      if (!table) {
        wrong(placeOf(name.source()), "'profile.{}': a table is wanted: [profile.{}]", name.str(),
              name.str());
        continue;
      }
      if (name.str() == "default")
        wrong(placeOf(name.source()), "'profile.default': what holds without a profile stands at "
                                      "the top of the file");
      checkKeys(*table,
                {"always", "bazel", "build", "harmless", "quarantine", "roots", "triggers"});
      file.profiles[std::string(name.str())] = values(*table);
    }
  }

  ConfigValues values(const toml::table &table) {
    ConfigValues values;
    if (const toml::node *node = table.get("build"))
      values.build = text(*node, "build");
    if (const toml::node *node = table.get("roots"))
      values.roots = texts(*node, "roots");
    if (const toml::node *node = table.get("always"))
      values.always = patterns(*node, "always");
    if (const toml::node *node = table.get("harmless"))
      values.harmless = patterns(*node, "harmless");
    if (const toml::node *node = table.get("quarantine"))
      values.quarantine = list<QuarantineEntry>(
          *node, "quarantine", [this](const toml::table &entry) { return quarantine(entry); });
    if (const toml::node *node = table.get("triggers"))
      values.triggers = list<Trigger>(*node, "triggers",
                                      [this](const toml::table &entry) { return trigger(entry); });
    if (const toml::node *node = table.get("bazel"))
      values.bazel = list<BazelLabel>(*node, "bazel",
                                      [this](const toml::table &entry) { return bazel(entry); });
    return values;
  }

  std::optional<ConfigPattern> text(const toml::node &node, llvm::StringRef key) {
    std::optional<std::string> value = node.value_exact<std::string>();
    if (!value)
      wrong(placeOf(node.source()), "'{}': a text is wanted, in quotes", key.str());
    else if (value->empty())
      wrong(placeOf(node.source()), "'{}': the text is empty", key.str());
    else if (value->find('\0') != std::string::npos)
      wrong(placeOf(node.source()), "'{}': a zero byte in the text", key.str());
    else
      return ConfigPattern{*value, placeOf(node.source())};
    return std::nullopt;
  }

  std::vector<ConfigPattern> texts(const toml::node &node, llvm::StringRef key) {
    std::vector<ConfigPattern> found;
    const toml::array *array = node.as_array();
    if (!array)
      wrong(placeOf(node.source()), "'{}': a list of texts is wanted: {} = [\"...\"]", key.str(),
            key.str());
    else
      for (const toml::node &element : *array)
        if (std::optional<ConfigPattern> value = text(element, key))
          found.push_back(*value);
    return found;
  }

  void checkPattern(const ConfigPattern &pattern) {
    std::size_t last = pattern.text.find_last_not_of('\\');
    std::size_t count = pattern.text.size() - (last == std::string::npos ? 0 : last + 1);
    if (count % 2 == 1)
      wrong(pattern.where, "'{}': a backslash at the end stands before nothing; double it",
            pattern.text);
  }

  std::vector<ConfigPattern> patterns(const toml::node &node, llvm::StringRef key) {
    std::vector<ConfigPattern> found = texts(node, key);
    for (const ConfigPattern &pattern : found)
      checkPattern(pattern);
    return found;
  }

  template <class Value, class Read>
  std::vector<Value> list(const toml::node &node, llvm::StringRef key, Read read) {
    std::vector<Value> found;
    const toml::array *array = node.as_array();
    if (!array) {
      wrong(placeOf(node.source()), "'{}': a list of tables is wanted: [[{}]]", key.str(),
            key.str());
      return found;
    }
    for (const toml::node &element : *array)
      if (const toml::table *table = element.as_table())
        found.push_back(read(*table));
      else
        wrong(placeOf(element.source()), "'{}': a list of tables is wanted: [[{}]]", key.str(),
              key.str());
    return found;
  }

  std::string reason(const toml::table &table) {
    const toml::node *node = table.get("reason");
    if (!node)
      return "";
    std::optional<ConfigPattern> found = text(*node, "reason");
    return found ? found->text : "";
  }

  QuarantineEntry quarantine(const toml::table &table) {
    checkKeys(table, {"reason", "test", "until"});
    QuarantineEntry entry;
    entry.reason = reason(table);
    if (const toml::node *node = table.get("test")) {
      if (std::optional<ConfigPattern> test = text(*node, "test")) {
        checkPattern(*test);
        entry.test = *test;
      }
    } else {
      wrong(placeOf(table.source()), "quarantine: 'test' is missing: which test is meant?");
    }
    if (const toml::node *node = table.get("until")) {
      if (std::optional<toml::date> date = node->value_exact<toml::date>())
        entry.until = {std::chrono::year(date->year), std::chrono::month(date->month),
                       std::chrono::day(date->day)};
      else
        wrong(placeOf(node->source()),
              "'until': a date is wanted, without quotes and time: until = 2030-12-31");
    } else {
      wrong(placeOf(table.source()), "quarantine: 'until' is missing: it holds for a time only, "
                                     "as in until = 2030-12-31");
    }
    return entry;
  }

  Trigger trigger(const toml::table &table) {
    checkKeys(table, {"files", "reason", "tests"});
    Trigger trigger;
    trigger.where = placeOf(table.source());
    trigger.reason = reason(table);
    if (const toml::node *node = table.get("files")) {
      trigger.files = patterns(*node, "files");
      for (const ConfigPattern &pattern : trigger.files)
        if (llvm::StringRef("/" + pattern.text + "/").contains("/../"))
          wrong(pattern.where, "'{}': paths are those of the repository, without '..'",
                pattern.text);
      if (node->is_array() && node->as_array()->empty())
        wrong(placeOf(node->source()), "'files': the list is empty");
    } else {
      wrong(trigger.where, "triggers: 'files' is missing: which files are meant?");
    }
    if (const toml::node *node = table.get("tests")) {
      trigger.tests = patterns(*node, "tests");
      if (node->is_array() && node->as_array()->empty())
        wrong(placeOf(node->source()), "'tests': the list is empty; leave it out for all tests");
    }
    return trigger;
  }

  BazelLabel bazel(const toml::table &table) {
    checkKeys(table, {"label", "program"});
    BazelLabel entry;
    for (auto [key, value] : {std::pair("label", &entry.label), {"program", &entry.program}}) {
      if (const toml::node *node = table.get(key))
        *value = text(*node, key).value_or(ConfigPattern());
      else
        wrong(placeOf(table.source()), "bazel: '{}' is missing: which {} is meant?", key, key);
    }
    llvm::StringRef label = entry.label.text;
    if (!label.empty() && !(label.starts_with("//") && label.contains(':')))
      wrong(entry.label.where, "'{}': a whole label is wanted, as in \"//lib:calc_test\"",
            entry.label.text);
    return entry;
  }

  const std::string &path_;
  std::vector<std::pair<ConfigPlace, std::string>> problems_;
};

} // namespace

llvm::Expected<ConfigFile> readConfig(llvm::StringRef text, const std::string &path) {
  toml::parse_result parsed = toml::parse(std::string_view(text), std::string_view(path));
  if (!parsed) {
    const toml::parse_error &problem = parsed.error();
    return error(ErrorKind::Usage, "{}: {}", placeText(path, placeOf(problem.source())),
                 problem.description());
  }
  ConfigReader reader(path);
  ConfigFile file = reader.read(parsed.table());
  if (llvm::Error problems = reader.problems())
    return problems;
  return file;
}

} // namespace retest
