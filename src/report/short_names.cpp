#include "report/short_names.h"

#include <utility>

namespace retest {

namespace {

void replaceAll(std::string &text, llvm::StringRef what, llvm::StringRef with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

/// The place behind the `>` that closes the `<` before `at`, or npos.
std::size_t behindArguments(llvm::StringRef text, std::size_t at) {
  for (int depth = 1; at < text.size(); ++at) {
    if (text[at] == '<')
      ++depth;
    else if (text[at] == '>' && text[at - 1] != '-' && --depth == 0)
      return at + 1;
  }
  return llvm::StringRef::npos;
}

/// Drops ", std::allocator<...>" and the like where they end an argument list.
bool dropLastArgument(std::string &text, llvm::StringRef argument) {
  std::string opening = ", std::" + argument.str() + "<";
  for (std::size_t at = 0; (at = text.find(opening, at)) != std::string::npos; ++at) {
    std::size_t end = behindArguments(text, at + opening.size());
    if (end == std::string::npos || end >= text.size() || text[end] != '>')
      continue;
    text.erase(at, end - at);
    return true;
  }
  return false;
}

} // namespace

std::string shortName(llvm::StringRef name) {
  std::string text = name.str();
  replaceAll(text, "std::__cxx11::", "std::");
  // From the last argument to the first, until nothing is left to drop.
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (const char *argument :
         {"allocator", "char_traits", "equal_to", "hash", "less", "default_delete"})
      while (dropLastArgument(text, argument))
        isChanged = true;
  }
  const std::pair<const char *, const char *> aliases[] = {
      {"std::basic_string<char>", "std::string"},
      {"std::basic_string_view<char>", "std::string_view"},
      {"std::basic_string<wchar_t>", "std::wstring"},
      {"std::basic_ostream<char>", "std::ostream"},
      {"std::basic_istream<char>", "std::istream"},
      {"std::basic_iostream<char>", "std::iostream"},
      {"std::basic_streambuf<char>", "std::streambuf"},
      {"std::basic_stringstream<char>", "std::stringstream"},
      {"std::basic_ostringstream<char>", "std::ostringstream"},
      {"std::basic_istringstream<char>", "std::istringstream"},
  };
  for (const auto &[full, alias] : aliases)
    replaceAll(text, full, alias);
  return text;
}

} // namespace retest
