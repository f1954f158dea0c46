#include "report/text_cells.h"

#include "report/graph_words.h"

#include <fmt/format.h>
#include <llvm/Support/Unicode.h>

namespace retest {
namespace {

/// Columns on the terminal; text that cannot be shown counts by its bytes.
std::size_t widthOf(llvm::StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : static_cast<std::size_t>(width);
}

std::string printable(llvm::StringRef text) {
  constexpr std::size_t kTab = 4;
  std::string result;
  for (char c : utf8(text))
    if (c == '\t')
      result.append(kTab - result.size() % kTab, ' ');
    else
      result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return result;
}

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

} // namespace

std::string coloured(bool isOn, const char *code, const std::string &text) {
  return isOn && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

std::string cutToColumns(llvm::StringRef text, std::size_t columns) {
  std::string line = printable(text);
  if (widthOf(line) <= columns)
    return line;
  const std::size_t room = columns > 3 ? columns - 3 : 0;
  while (widthOf(line) > room) {
    while (line.size() > 1 && isContinuation(line.back()))
      line.pop_back();
    line.pop_back();
  }
  return line + std::string(std::min<std::size_t>(columns, 3), '.');
}

std::string filledToColumns(llvm::StringRef text, std::size_t columns) {
  std::string line = cutToColumns(text, columns);
  std::size_t width = widthOf(line);
  return line + std::string(width < columns ? columns - width : 0, ' ');
}

std::string oneLine(llvm::StringRef text) {
  std::string line;
  for (unsigned char c : utf8(text))
    line += c < 0x20 || c == 0x7f ? fmt::format("\\x{:02x}", c) : std::string(1, c);
  return line;
}

} // namespace retest
