#include "cov/omitted_calls.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/STLExtras.h>

#include <map>

namespace retest {

namespace {

using IsMeant = llvm::function_ref<bool(const Function &)>;

/// Functions of a project, and which of them are reached.
class Calls {
public:
  Calls(const Project &project, IsMeant isMeant)
      : project_(project), isReached_(project.functions.size()) {
    for (std::uint32_t id = 0; id < project.functions.size(); ++id)
      if (isMeant(project.functions[id]))
        named_[project.functions[id].name].push_back({id});
  }

  /// Whether there are any.
  bool addIf(IsMeant isMeant) {
    bool found = false;
    for (const auto &[name, functions] : named_)
      for (FunctionId function : functions)
        if (isMeant(project_[function])) {
          found = true;
          add(function);
        }
    return found;
  }

  void addWhoseAddressIsTaken() {
    hasPointers_ = true;
    for (const Function &function : project_.functions)
      for (const Node &node : function.flow.nodes)
        for (const Use &use : node.uses)
          if (use.kind == UseKind::Address)
            addNamed(use.entity);
    for (const Variable &variable : project_.variables)
      for (const Use &use : variable.uses)
        addNamed(use.entity);
  }

  /// What the functions call that were added.
  void close() {
    while (!pending_.empty()) {
      FunctionId function = pending_.back();
      pending_.pop_back();
      for (const Node &node : project_[function].flow.nodes) {
        if (node.call.callee.isValid())
          addNamed(node.call.callee);
        if (node.call.kind == CallKind::Virtual && !hasVirtual_)
          hasVirtual_ = addIf([](const Function &each) { return each.isVirtual; });
        if (node.call.kind == CallKind::Indirect && !hasPointers_)
          addWhoseAddressIsTaken();
      }
    }
  }

  std::vector<FunctionId> reached() const {
    std::vector<FunctionId> all;
    for (unsigned id : isReached_.set_bits())
      all.push_back({id});
    return all;
  }

private:
  void addNamed(NameId name) {
    if (auto found = named_.find(name); found != named_.end())
      llvm::for_each(found->second, [&](FunctionId function) { add(function); });
  }

  void add(FunctionId function) {
    if (isReached_.test(function.value))
      return;
    isReached_.set(function.value);
    pending_.push_back(function);
  }

  const Project &project_;
  std::map<NameId, std::vector<FunctionId>> named_;
  llvm::BitVector isReached_;
  std::vector<FunctionId> pending_;
  bool hasVirtual_ = false;  ///< all virtual ones were added
  bool hasPointers_ = false; ///< and all that pointers may lead to
};

/// Its class may have no other members or bases that are to be destroyed.
bool isDestructorWithOneCall(const Function &function) {
  return function.kind == FunctionKind::Destructor &&
         llvm::count_if(function.flow.nodes,
                        [](const Node &node) { return node.kind == NodeKind::Call; }) == 1;
}

} // namespace

std::vector<FunctionId> functionsWithOmittedCalls(const Project &project) {
  Calls calls(project, [](const Function &each) { return each.isConstexpr; });
  if (!calls.addIf([](const Function &each) { return each.kind == FunctionKind::Destructor; }))
    return {};
  calls.addWhoseAddressIsTaken();
  calls.close();
  return calls.reached();
}

std::vector<FunctionId> functionsThatOptimisersReplace(const Project &project) {
  Calls calls(project, [](const Function &) { return true; });
  if (calls.addIf([](const Function &each) { return each.isPure; }))
    calls.close();
  calls.addIf(isDestructorWithOneCall);
  return calls.reached();
}

} // namespace retest
