#include "run/xml_tags.h"

#include <llvm/Support/ConvertUTF.h>

namespace retest {

namespace {

/// What stands for `&name;`; nothing known: itself.
std::string entity(llvm::StringRef name) {
  if (name == "lt")
    return "<";
  if (name == "gt")
    return ">";
  if (name == "amp")
    return "&";
  if (name == "quot")
    return "\"";
  if (name == "apos")
    return "'";
  unsigned code = 0;
  llvm::StringRef number = name;
  if (number.consume_front("#") && !(number.consume_front("x") ? number.getAsInteger(16, code)
                                                               : number.getAsInteger(10, code))) {
    char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
    char *end = buffer;
    if (llvm::ConvertCodePointToUTF8(code, end))
      return std::string(buffer, end);
  }
  return "&" + name.str() + ";";
}

std::string decoded(llvm::StringRef text) {
  std::string result;
  while (!text.empty()) {
    std::size_t end = text.starts_with("&") ? text.find(';') : llvm::StringRef::npos;
    if (end != llvm::StringRef::npos) {
      result += entity(text.slice(1, end));
      text = text.drop_front(end + 1);
      continue;
    }
    std::size_t next = text.find('&', 1);
    result += text.substr(0, next);
    text = text.substr(next == llvm::StringRef::npos ? text.size() : next);
  }
  return result;
}

constexpr llvm::StringLiteral kBlank = " \t\r\n";

/// Takes `key="value"` from the front; false: there is none.
bool takeAttribute(llvm::StringRef &text, XmlTag &tag) {
  text = text.ltrim(kBlank);
  std::size_t equals = text.find_first_of("=>/<");
  if (equals == llvm::StringRef::npos || text[equals] != '=')
    return false;
  llvm::StringRef key = text.take_front(equals).rtrim(kBlank);
  llvm::StringRef rest = text.drop_front(equals + 1).ltrim(kBlank);
  if (!rest.starts_with("\"") && !rest.starts_with("'"))
    return false;
  std::size_t end = rest.find(rest.front(), 1);
  if (end == llvm::StringRef::npos)
    return false;
  tag.attributes[key.str()] = decoded(rest.slice(1, end));
  text = rest.drop_front(end + 1);
  return true;
}

} // namespace

std::string XmlTag::attribute(const std::string &key) const {
  auto found = attributes.find(key);
  return found == attributes.end() ? std::string() : found->second;
}

std::vector<XmlTag> readXmlTags(llvm::StringRef xml) {
  std::vector<XmlTag> tags;
  xml = xml.substr(std::min(xml.find("<?xml"), xml.size()));
  for (std::size_t begin; (begin = xml.find('<')) != llvm::StringRef::npos;) {
    xml = xml.drop_front(begin + 1);
    llvm::StringRef name = xml.take_front(std::min(xml.find_first_of(" \t\r\n/><"), xml.size()));
    if (name.empty() || name.starts_with("?") || name.starts_with("!"))
      continue;
    xml = xml.drop_front(name.size());
    XmlTag tag{name.str()};
    while (takeAttribute(xml, tag))
      ;
    xml = xml.ltrim(kBlank);
    xml.consume_front("/");
    if (!xml.consume_front(">"))
      continue;
    tag.text = decoded(xml.take_until([](char c) { return c == '<'; }));
    tags.push_back(std::move(tag));
  }
  return tags;
}

} // namespace retest
