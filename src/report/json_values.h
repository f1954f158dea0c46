#pragma once

#include "report/graph_words.h"

#include <llvm/Support/JSON.h>

namespace retest {

/// An array of numbers on one line, also where the document is indented.
void writeNumbers(llvm::json::OStream &json, llvm::StringRef key,
                  llvm::ArrayRef<std::uint32_t> numbers);

/// Writes the values of a unit's graph; graph_json.cpp puts them in order.
class JsonValues {
public:
  JsonValues(llvm::json::OStream &json, const Project &project, const Names &names)
      : json_(json), project_(project), names_(names) {}

  void function(FunctionId id);
  void type(ClassId id);
  void variable(VariableId id);
  void doubts(llvm::ArrayRef<Doubt> doubts);
  std::string text(NameId name) const { return utf8(names_.text(name)); }

private:
  void node(const Node &node, NameId file);
  void place(llvm::StringRef key, const SourcePosition &position);
  void range(const SourceRange &where, NameId file);
  void uses(llvm::ArrayRef<Use> uses);
  void names(llvm::StringRef key, llvm::ArrayRef<NameId> values);

  llvm::json::OStream &json_;
  const Project &project_;
  const Names &names_;
};

} // namespace retest
