#include "run/cmake_expression.h"

#include "support/error.h"

#include <re2/re2.h>

#include <bitset>

namespace retest {

namespace {

/// Walks over an expression as CMake's own compiler does, and writes it anew for RE2. The order of
/// its checks is that compiler's, so that both refuse the same expressions.
class Translator {
public:
  explicit Translator(llvm::StringRef text) : rest_(text) {}

  llvm::Expected<std::string> translate() {
    alternatives(/*isNested=*/false);
    if (!problem_.empty())
      return error("{}", problem_);
    return std::move(result_);
  }

private:
  /// CMake 3.25 has 32 parentheses, counting the whole; older ones had 10.
  static constexpr unsigned kMostParentheses = 32;

  char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  char take() {
    char c = rest_.front();
    rest_ = rest_.drop_front();
    return c;
  }
  void refuse(const char *why) {
    if (problem_.empty())
      problem_ = why;
    rest_ = {};
  }
  void plain(unsigned char c) { result_ += fmt::format("\\x{:02x}", c); }

  /// Each returns whether what it read cannot match nothing.
  bool alternatives(bool isNested) {
    bool hasWidth = branch();
    while (peek() == '|') {
      result_ += take();
      hasWidth &= branch();
    }
    if (isNested) {
      if (peek() != ')')
        refuse("has a parenthesis that is not closed");
      else
        take();
    } else if (peek() == ')') {
      refuse("closes a parenthesis that is not open");
    }
    return hasWidth;
  }

  bool branch() {
    bool hasWidth = false;
    while (!rest_.empty() && peek() != '|' && peek() != ')')
      hasWidth |= piece();
    return hasWidth;
  }

  bool piece() {
    bool hasWidth = atom();
    char repeat = peek();
    if (!isRepeat(repeat))
      return hasWidth;
    if (!hasWidth && repeat != '?')
      refuse("repeats what may be empty");
    else
      result_ += take();
    if (isRepeat(peek()))
      refuse("repeats a repetition");
    return hasWidth && repeat == '+';
  }

  static bool isRepeat(char c) { return c == '*' || c == '+' || c == '?'; }

  bool atom() {
    switch (char c = take()) {
    case '^':
      result_ += "\\A";
      return false;
    case '$':
      result_ += "\\z";
      return false;
    case '.':
      result_ += '.';
      return true;
    case '[':
      return brackets();
    case '(':
      return parentheses();
    case '*':
    case '+':
    case '?':
      refuse("repeats nothing");
      return true;
    case '\\':
      if (rest_.empty()) {
        refuse("ends in a backslash");
        return true;
      }
      c = take();
      [[fallthrough]];
    default:
      plain(static_cast<unsigned char>(c));
      return true;
    }
  }

  bool parentheses() {
    if (++parentheses_ >= kMostParentheses) {
      refuse("has too many parentheses");
      return true;
    }
    result_ += "(?:";
    bool hasWidth = alternatives(/*isNested=*/true);
    result_ += ')';
    return hasWidth;
  }

  /// A class is written as the bytes that are in it.
  bool brackets() {
    std::bitset<256> bytes;
    bool isInverted = peek() == '^';
    if (isInverted)
      take();
    unsigned char last = 0;
    auto add = [&](char c) { bytes.set(last = static_cast<unsigned char>(c)); };
    if (peek() == ']' || peek() == '-')
      add(take());
    while (!rest_.empty() && peek() != ']') {
      if (peek() != '-') {
        add(take());
        continue;
      }
      take();
      if (rest_.empty() || peek() == ']') {
        add('-');
        continue;
      }
      unsigned end = static_cast<unsigned char>(peek());
      if (last > end) {
        refuse("has a range that runs backwards");
        return true;
      }
      for (unsigned byte = last; byte <= end; ++byte)
        bytes.set(byte);
      add(take());
    }
    if (rest_.empty()) {
      refuse("has a bracket that is not closed");
      return true;
    }
    take();
    write(isInverted ? ~bytes : bytes);
    return true;
  }

  void write(const std::bitset<256> &bytes) {
    if (bytes.none()) {
      result_ += "[^\\x00-\\xff]";
      return;
    }
    result_ += '[';
    for (unsigned byte = 0; byte < 256; ++byte)
      if (bytes[byte])
        plain(static_cast<unsigned char>(byte));
    result_ += ']';
  }

  llvm::StringRef rest_;
  std::string result_, problem_;
  unsigned parentheses_ = 0;
};

} // namespace

llvm::Expected<std::string> translatedExpression(llvm::StringRef text) {
  return Translator(text).translate();
}

CMakeExpression::CMakeExpression(std::unique_ptr<re2::RE2> program)
    : program_(std::move(program)) {}
CMakeExpression::CMakeExpression(CMakeExpression &&) noexcept = default;
CMakeExpression &CMakeExpression::operator=(CMakeExpression &&) noexcept = default;
CMakeExpression::~CMakeExpression() = default;

llvm::Expected<CMakeExpression> CMakeExpression::compile(llvm::StringRef text) {
  auto translated = translatedExpression(text);
  if (!translated)
    return error("{}: this regular expression {}", text.str(),
                 llvm::toString(translated.takeError()));
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);
  options.set_dot_nl(true);
  options.set_log_errors(false);
  auto program = std::make_unique<re2::RE2>(*translated, options);
  if (!program->ok())
    return error("{}: this regular expression is too much: {}", text.str(), program->error());
  return CMakeExpression(std::move(program));
}

bool CMakeExpression::isFoundIn(llvm::StringRef text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *program_);
}

} // namespace retest
