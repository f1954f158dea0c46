#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>

#include <memory>
#include <string>

namespace re2 {
class RE2;
}

namespace retest {

/// A regular expression as CMake and CTest understand it, searched for in time linear to the text.
///
/// CMake's dialect: `^ $` are the ends of the text, not of lines; `.` and `[^a]` match a new line
/// too; a backslash makes the next character a plain one (`\d` is d), but is plain itself between
/// brackets; `* + ?` and `|` and parentheses as usual; there are no `{n}` and no classes such as
/// `[:alpha:]`.
class CMakeExpression {
public:
  /// An error for what CMake refuses as well; CTest then acts as if it were found nowhere.
  static llvm::Expected<CMakeExpression> compile(llvm::StringRef text);
  CMakeExpression(CMakeExpression &&) noexcept;
  CMakeExpression &operator=(CMakeExpression &&) noexcept;
  ~CMakeExpression();

  bool isFoundIn(llvm::StringRef text) const;

private:
  explicit CMakeExpression(std::unique_ptr<re2::RE2> program);

  std::unique_ptr<re2::RE2> program_;
};

/// The same expression as RE2 writes it; an error if CMake refuses it.
llvm::Expected<std::string> translatedExpression(llvm::StringRef text);

} // namespace retest
