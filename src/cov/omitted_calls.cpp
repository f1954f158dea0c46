#include "cov/omitted_calls.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/STLExtras.h>

#include <map>

namespace retest {

namespace {

/// The constexpr functions of a project, and which of them are reached.
class ConstexprCalls {
public:
  explicit ConstexprCalls(const Project &project)
      : project_(project), isReached_(project.functions.size()) {
    for (std::uint32_t id = 0; id < project.functions.size(); ++id)
      if (project.functions[id].isConstexpr)
        named_[project.functions[id].name].push_back({id});
  }

  /// Whether there are any.
  bool addDestructors() {
    return addIf([](const Function &each) { return each.kind == FunctionKind::Destructor; });
  }

  void addWhatTakesAddresses() {
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
  bool addIf(llvm::function_ref<bool(const Function &)> isMeant) {
    bool found = false;
    for (const auto &[name, functions] : named_)
      for (FunctionId function : functions)
        if (isMeant(project_[function])) {
          found = true;
          add(function);
        }
    return found;
  }

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
  std::map<NameId, std::vector<FunctionId>> named_; ///< constexpr functions
  llvm::BitVector isReached_;
  std::vector<FunctionId> pending_;
  bool hasVirtual_ = false; ///< all virtual ones were added
};

} // namespace

std::vector<FunctionId> functionsWithOmittedCalls(const Project &project) {
  ConstexprCalls calls(project);
  if (!calls.addDestructors())
    return {};
  calls.addWhatTakesAddresses();
  calls.close();
  return calls.reached();
}

} // namespace retest
