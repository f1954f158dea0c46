#include "select/unreached_functions.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/STLExtras.h>

#include <map>
#include <set>

namespace retest {

namespace {

bool isWritten(const Function &function) {
  return !function.isImplicit && !function.isExternal && function.kind != FunctionKind::Initialiser;
}

/// Whether others than callers lead to it: the dynamic type of an object, the start of the program,
/// code outside the project.
bool isEntry(const Function &function, const Names &names) {
  return function.isVirtual || function.isReplacement || names.text(function.name) == "main" ||
         names.text(function.name).starts_with("main(");
}

/// Functions that were added, by name, and whether something leads to them.
class AddedFunctions {
public:
  AddedFunctions(const Delta &delta, const Project &current, const Names &names)
      : project_(current), isAdded_(current.functions.size()) {
    for (const FunctionChange &change : delta.functions)
      if (change.kind == FunctionChangeKind::Added && isWritten(current[change.current]) &&
          !isAdded_.test(change.current.value)) {
        isAdded_.set(change.current.value);
        named_[current[change.current].name].push_back(change.current);
        if (isEntry(current[change.current], names))
          reach(current[change.current].name);
      }
  }

  std::vector<FunctionId> unreached(const std::set<FunctionId> &idle) {
    if (named_.empty())
      return {};
    for (std::uint32_t id = 0; id < project_.functions.size(); ++id)
      if (!isAdded_.test(id) && !idle.count({id}))
        follow(project_.functions[id]);
    for (const Variable &variable : project_.variables)
      for (const Use &use : variable.uses)
        reach(use.entity);
    while (!pending_.empty()) {
      std::vector<FunctionId> functions = named_[pending_.back()];
      pending_.pop_back();
      for (FunctionId id : functions)
        follow(project_[id]);
    }
    std::vector<FunctionId> result;
    for (const auto &[name, functions] : named_)
      if (!reached_.count(name))
        llvm::append_range(result, functions);
    llvm::sort(result);
    return result;
  }

private:
  void follow(const Function &function) {
    for (const Node &node : function.flow.nodes) {
      reach(node.call.callee);
      for (const Use &use : node.uses)
        if (use.kind == UseKind::Address)
          reach(use.entity);
    }
  }

  void reach(NameId name) {
    if (named_.count(name) && reached_.insert(name).second)
      pending_.push_back(name);
  }

  const Project &project_;
  llvm::BitVector isAdded_;
  std::map<NameId, std::vector<FunctionId>> named_;
  std::set<NameId> reached_;
  std::vector<NameId> pending_;
};

} // namespace

std::vector<FunctionId> unreachedFunctions(const Delta &delta, const Project &current,
                                           const Names &names, const std::set<FunctionId> &idle) {
  return AddedFunctions(delta, current, names).unreached(idle);
}

} // namespace retest
