#pragma once

#include "diff/compare.h"
#include "report/delta_order.h"
#include "report/delta_words.h"
#include "tests/notation/program.h"
#include "tests/report/shapes.h"

#include <llvm/ADT/StringExtras.h>

namespace retest {

/// Two versions of a program in the notation, each with the text of its files by name.
///
/// In the notation, node 2 of a function (the first after entry and exit) stands one line below
/// the function, node 3 on the next, and so on, from column 3 to the end of the line.
struct TwoVersions {
  using Files = std::map<std::string, std::string>;

  Names names;
  Project baseline, current;
  Delta delta;
  Files before, after;

  TwoVersions(llvm::ArrayRef<UnitText> old, llvm::ArrayRef<UnitText> now, Files before = {},
              Files after = {}, const char *plan = "")
      : baseline(linked(old, plan, names)), current(linked(now, plan, names)),
        delta(inTextOrder(compare(baseline, current, names), baseline, current, names)),
        before(std::move(before)), after(std::move(after)) {}

  DeltaView view() const { return {baseline, current, names, linesOf(before), linesOf(after)}; }

private:
  static SourceLines linesOf(const Files &files) {
    return [&files](llvm::StringRef file, std::uint32_t number) -> std::string {
      auto found = files.find(file.str());
      llvm::SmallVector<llvm::StringRef> lines;
      if (found != files.end())
        llvm::StringRef(found->second).split(lines, '\n');
      return number >= 1 && number <= lines.size() ? lines[number - 1].str() : "";
    };
  }
};

/// One branch of f() edited, in source and graph.
inline TwoVersions oneEdit() {
  return TwoVersions(
      {{"a.cpp", "strong f(): in -> x ; x -T-> one ; x -F-> two ; one -> out ; two -> out"}},
      {{"a.cpp", "strong f(): in -> x ; x -T-> nine ; x -F-> two ; nine -> out ; two -> out"}},
      {{"a.cpp", "int f() {\n  x > 0\n  give 1;\n  give 2;\n}\n"}},
      {{"a.cpp", "int f() {\n  x > 0\n  give 9;\n  give 2;\n}\n"}});
}

} // namespace retest
