#pragma once

#include <doctest/doctest.h>
#include <llvm/Support/JSON.h>

#include <fstream>
#include <set>

namespace retest {

using Fields = std::set<std::string>;

/// "functions[].nodes[].kind" and so on, for everything that a value holds.
inline void collect(const llvm::json::Value &value, const std::string &path, Fields &fields) {
  if (const llvm::json::Array *list = value.getAsArray())
    for (const llvm::json::Value &entry : *list)
      collect(entry, path + "[]", fields);
  if (const llvm::json::Object *object = value.getAsObject())
    for (const auto &[key, inner] : *object) {
      std::string field = (path.empty() ? "" : path + ".") + key.str();
      fields.insert(field);
      collect(inner, field, fields);
    }
}

/// The words between back quotes.
inline std::vector<std::string> quoted(llvm::StringRef text) {
  std::vector<std::string> words;
  llvm::SmallVector<llvm::StringRef, 8> parts;
  text.split(parts, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2)
    words.push_back(parts[i].str());
  return words;
}

/// The same from the tables of the manual: "In `functions[]`:", then "| `id`, `name` | ... |".
inline Fields documentedFields(const std::string &page) {
  std::ifstream file(RETEST_DOCS "/" + page);
  REQUIRE(file.is_open());
  Fields fields;
  bool isInside = false;
  std::string prefix;
  for (std::string text; std::getline(file, text);) {
    llvm::StringRef line = text;
    if (line.starts_with("## "))
      isInside = line == "## As JSON";
    if (!isInside)
      continue;
    if (line.starts_with("In `"))
      prefix = quoted(line).front() + ".";
    if (line.starts_with("| `"))
      for (const std::string &field : quoted(line.drop_front().split('|').first))
        fields.insert(prefix + field);
  }
  return fields;
}

inline Fields fieldsOf(const std::string &json) {
  auto document = llvm::json::parse(json);
  REQUIRE(bool(document));
  Fields fields;
  collect(*document, "", fields);
  return fields;
}

/// A line for each.
inline std::string onlyIn(const Fields &some, const Fields &others) {
  std::string text;
  for (const std::string &field : some)
    if (!others.contains(field))
      text += field + "\n";
  return text;
}

} // namespace retest
