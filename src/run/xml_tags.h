#pragma once

#include <llvm/ADT/StringRef.h>

#include <map>
#include <string>
#include <vector>

namespace retest {

/// A start tag with the text behind it: `<Line a="b">12</Line>` is Line, a=b, 12.
struct XmlTag {
  std::string name;
  std::map<std::string, std::string> attributes = {};
  std::string text = {}; ///< up to the next tag

  std::string attribute(const std::string &key) const;
  bool operator==(const XmlTag &) const = default;
};

/// The start tags of a document, in its order, from `<?xml` on.
///
/// This is for the flat lists that test frameworks write, not for XML at large: no comments, no
/// CDATA, no entities but the five of XML itself and `&#...;`. What is in front of the document,
/// and what does not look like a tag, is passed over.
std::vector<XmlTag> readXmlTags(llvm::StringRef xml);

} // namespace retest
