#include "run/read_test_list.h"

#include "support/error.h"

#include <llvm/Support/JSON.h>
#include <pugixml.hpp>

#include <optional>
#include <tuple>

namespace retest {

namespace {

using Tests = llvm::Expected<std::vector<NativeTest>>;

unsigned numberIn(llvm::StringRef text) {
  unsigned number = 0;
  return text.getAsInteger(10, number) ? 0 : number;
}

/// GoogleTest looks at the names of suite and test, each behind the name of its instance.
bool isDisabledName(llvm::StringRef name) {
  return name.starts_with("DISABLED_") || name.contains("/DISABLED_");
}

/// GoogleTest (1.12 at least) writes each byte of a character beyond ASCII as if it were a
/// character: `\u00C3\u00A9` for an e with acute accent. This puts the bytes back.
std::string withBytesOf(llvm::StringRef json) {
  std::string result;
  while (!json.empty()) {
    unsigned byte = 0;
    bool isEscape = json.front() == '\\' && json.size() > 1;
    if (isEscape && json.starts_with("\\u00") && json.size() >= 6 &&
        !json.substr(4, 2).getAsInteger(16, byte) && byte >= 0x80) {
      result += static_cast<char>(byte);
      json = json.drop_front(6);
      continue;
    }
    result += json.take_front(isEscape ? 2 : 1);
    json = json.drop_front(isEscape ? 2 : 1);
  }
  return result;
}

NativeTest googleTest(llvm::StringRef suite, const llvm::json::Object &object) {
  llvm::StringRef name = object.getString("name").value_or("");
  NativeTest test;
  test.name = (suite + "." + name).str();
  test.suite = suite.str();
  test.file = object.getString("file").value_or("").str();
  test.line = static_cast<unsigned>(object.getInteger("line").value_or(0));
  test.isDisabled = isDisabledName(suite) || isDisabledName(name);
  return test;
}

/// A test case or suite in Boost.Test's list; `id` tells which.
struct BoostTestUnit {
  unsigned id = 0;
  NativeTest test; ///< with its bare name

  static constexpr unsigned kFirstCase = 65536; ///< suites have the numbers below
};

/// `tu65536[...,color=green,label="name|file(12)|labels: @quick"];`. Nothing is escaped in the
/// label: a name may hold bars and parentheses, so the place is the last part in its form.
std::optional<BoostTestUnit> boostTestUnit(llvm::StringRef line) {
  BoostTestUnit unit;
  if (!line.consume_front("tu") || line.consumeInteger(10, unit.id) || !line.consume_front("["))
    return std::nullopt;
  auto [properties, label] = line.split(",label=\"");
  if (!label.consume_back("\"];"))
    return std::nullopt;
  unit.test.isDisabled = properties.contains("color=yellow");
  unit.test.name = label.str();
  for (llvm::StringRef before = label; before.contains('|');) {
    llvm::StringRef part;
    std::tie(before, part) = before.rsplit('|');
    auto [file, number] = part.rsplit('(');
    if (!number.consume_back(")") || numberIn(number) == 0)
      continue;
    unit.test.name = before.str();
    unit.test.file = file.str();
    unit.test.line = numberIn(number);
    break;
  }
  return unit;
}

NativeTest inSuite(NativeTest unit, const NativeTest &suite) {
  unit.suite = suite.name;
  if (!suite.name.empty())
    unit.name = suite.name + "/" + unit.name;
  unit.bringsOthers |= suite.bringsOthers;
  return unit;
}

/// The document from `<?xml` to the end of its root: programs say other things before and after it.
/// Empty if there is no end. A root without anything inside may be one tag.
llvm::StringRef xmlDocument(llvm::StringRef text, llvm::StringRef root) {
  std::size_t begin = text.find("<?xml");
  if (begin == llvm::StringRef::npos)
    return "";
  text = text.drop_front(begin);
  for (const std::string &last : {("</" + root + ">").str(), ("<" + root + "/>").str()})
    if (std::size_t end = text.rfind(last); end != llvm::StringRef::npos)
      return text.take_front(end + last.size());
  return "";
}

/// Blanks in names stay as they are.
llvm::Error readXml(llvm::StringRef text, llvm::StringRef root, pugi::xml_document &document) {
  text = xmlDocument(text, root);
  if (text.empty())
    return error("its list has no end");
  auto result = document.load_buffer(text.data(), text.size(),
                                     pugi::parse_minimal | pugi::parse_escapes | pugi::parse_cdata,
                                     pugi::encoding_utf8);
  if (!result)
    return error("its list is not XML: {} at byte {}", result.description(), result.offset);
  if (!document.child(root.str().c_str()))
    return error("its list has no {}", root.str());
  return llvm::Error::success();
}

} // namespace

Tests readGoogleTestList(llvm::StringRef json) {
  // Names are text, but the value of a parameter is whatever its type prints.
  auto list = llvm::json::parse(llvm::json::fixUTF8(withBytesOf(json)));
  if (!list)
    return list.takeError();
  const llvm::json::Object *root = list->getAsObject();
  const llvm::json::Array *suites = root ? root->getArray("testsuites") : nullptr;
  if (!suites)
    return error("its list has no test suites");
  std::vector<NativeTest> tests;
  for (const llvm::json::Value &entry : *suites) {
    const llvm::json::Object *suite = entry.getAsObject();
    const llvm::json::Array *cases = suite ? suite->getArray("testsuite") : nullptr;
    if (!cases)
      return error("its list has a suite without tests");
    for (const llvm::json::Value &each : *cases)
      if (const llvm::json::Object *object = each.getAsObject())
        tests.push_back(googleTest(suite->getString("name").value_or(""), *object));
  }
  return tests;
}

Tests readDoctestList(llvm::StringRef xml) {
  pugi::xml_document document;
  if (llvm::Error failed = readXml(xml, "doctest", document))
    return failed;
  std::vector<NativeTest> tests;
  for (const pugi::xml_node &node : document.child("doctest").children()) {
    if (llvm::StringRef(node.name()) == "TestSuite")
      return error("it runs them instead");
    if (llvm::StringRef(node.name()) != "TestCase")
      continue;
    auto attribute = [&](const char *name) { return node.attribute(name).as_string(); };
    tests.push_back({attribute("name"), attribute("testsuite"), attribute("filename"),
                     node.attribute("line").as_uint(), node.attribute("skipped").as_bool()});
  }
  return tests;
}

Tests readCatch2Names(llvm::StringRef text) {
  std::vector<NativeTest> tests;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    auto [name, place] = line.rsplit("\t@");
    auto [file, number] = place.rsplit(':');
    if (numberIn(number) == 0)
      continue; // not of the list
    if (name.starts_with("\"#"))
      name = name.drop_front().drop_back();
    tests.push_back({name.str(), {}, file.str(), numberIn(number)});
  }
  return tests;
}

Tests readCatch2List(llvm::StringRef xml) {
  pugi::xml_document document;
  if (llvm::Error failed = readXml(xml, "MatchingTests", document))
    return failed;
  std::vector<NativeTest> tests;
  for (const pugi::xml_node &node : document.child("MatchingTests").children("TestCase")) {
    pugi::xml_node place = node.child("SourceInfo");
    tests.push_back({node.child_value("Name"),
                     {},
                     place.child_value("File"),
                     numberIn(place.child_value("Line"))});
  }
  return tests;
}

Tests readBoostTestList(llvm::StringRef dot) {
  // What follows a suite's line in braces is inside it. The outermost suite is the program, without
  // a name in paths. A dotted arrow says that the unit before it depends on another.
  NativeTest latestSuite;
  std::vector<NativeTest> suites, tests; // the suites are those around
  NativeTest *latest = &latestSuite;
  bool isWhole = false;
  for (dot = dot.split("digraph G {").second; !dot.empty() && !isWhole;) {
    llvm::StringRef line;
    std::tie(line, dot) = dot.split('\n');
    line = line.rtrim('\r');
    if (line == "{") {
      suites.push_back(latestSuite);
    } else if (line == "}") {
      isWhole = suites.empty();
      if (!isWhole)
        suites.pop_back();
    } else if (auto unit = boostTestUnit(line); unit && !suites.empty()) {
      bool isSuite = unit->id < BoostTestUnit::kFirstCase;
      latest = isSuite ? &latestSuite : &tests.emplace_back();
      *latest = inSuite(std::move(unit->test), suites.back());
    } else if (line.contains(" -> ") && line.contains("style=dotted")) {
      latest->bringsOthers = true;
    }
  }
  if (!isWhole)
    return error("its list has no end");
  return tests;
}

} // namespace retest
