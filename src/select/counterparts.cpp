#include "select/counterparts.h"

#include "select/carried_edges.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

namespace {

using Functions = llvm::SmallVector<FunctionId, 2>;

/// As in the comparison: what must be equal for a function to be the same one.
using State = std::tuple<Fingerprint, Fingerprint, Linkage>;
State stateOf(const Function &function) {
  return {function.fingerprint, function.compiledOut, function.linkage};
}

std::vector<State> statesOf(const Project &project, const Functions &functions) {
  std::vector<State> states;
  for (FunctionId id : functions)
    states.push_back(stateOf(project[id]));
  llvm::sort(states);
  return states;
}

bool isInternal(const Function &function) { return function.linkage == Linkage::Internal; }

/// Those for which it holds; all if it holds for none.
template <class Holds> Functions narrowed(const Functions &functions, Holds holds) {
  Functions some;
  llvm::copy_if(functions, std::back_inserter(some), holds);
  return some.empty() ? functions : some;
}

/// Functions of one printed name may still be told apart, as overloads with other constraints are.
bool sharesSymbol(const Function &a, const Function &b) {
  return llvm::any_of(a.symbols,
                      [&](NameId symbol) { return llvm::is_contained(b.symbols, symbol); });
}

} // namespace

Counterparts::Counterparts(const Project &baseline, const Project &current, const Names &names,
                           const Delta &delta)
    : baseline_(baseline), current_(current), names_(names),
      units_(matchUnits(baseline, current, names)), imagesWith_(baseline.functions.size()) {
  addImages(baseline, before_);
  addImages(current, after_);
  before_.resize(numbers_.size());
  for (std::uint32_t image = 0; image < before_.size(); ++image)
    for (const auto &[name, functions] : before_[image])
      for (FunctionId id : functions)
        imagesWith_[id.value].push_back(image);
  // A pair is there twice if its homes differ from program to program.
  for (const FunctionChange &change : delta.functions)
    if (change.kind == FunctionChangeKind::Changed)
      llvm::append_range(walked_[{change.baseline, change.current}], change.edges);
}

/// The units of a binary are those that any program has of it, as for the reader of its counters.
void Counterparts::addImages(const Project &project, std::vector<Image> &images) {
  std::map<std::uint32_t, llvm::BitVector> units; // by number of the binary
  for (const ProgramGraph &program : project.programs)
    for (const ProgramUnit &entry : program.units) {
      llvm::StringRef name = names_.text(program.images[entry.image]);
      auto number = static_cast<std::uint32_t>(numbers_.size());
      llvm::BitVector &known = units[numbers_.try_emplace(name, number).first->second];
      known.resize(project.units.size());
      known.set(entry.unit.value);
    }
  images.resize(numbers_.size());
  for (const auto &[number, known] : units) {
    llvm::BitVector isSeen(project.functions.size());
    for (unsigned unit : known.set_bits())
      for (FunctionId id : project.units[unit].functions) {
        if (isSeen.test(id.value))
          continue;
        isSeen.set(id.value);
        images[number][project[id].name.value].push_back(id);
      }
  }
}

std::optional<std::uint32_t> Counterparts::imageNamed(llvm::StringRef name) const {
  auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

/// The baseline functions that the counters of this one may have meant, itself among them.
Functions Counterparts::variantsOf(FunctionId id, std::uint32_t image) const {
  const Function &function = baseline_[id];
  UnitId unit = baseline_.functionUnits[id.value];
  Functions named = before_[image].lookup(function.name.value);
  llvm::erase_if(named, [&](FunctionId other) {
    bool isApart = isInternal(function) && baseline_.functionUnits[other.value] != unit;
    return isApart || isInternal(baseline_[other]) != isInternal(function);
  });
  return narrowed(named,
                  [&](FunctionId other) { return sharesSymbol(baseline_[other], function); });
}

Functions Counterparts::candidatesFor(FunctionId id, std::uint32_t image) const {
  const Function &function = baseline_[id];
  Functions named = after_[image].lookup(function.name.value);
  UnitId unit = units_.counterparts[baseline_.functionUnits[id.value].value];
  auto isOfUnit = [&](FunctionId other) {
    return isInternal(current_[other]) && current_.functionUnits[other.value] == unit;
  };
  auto isExternal = [&](FunctionId other) { return !isInternal(current_[other]); };
  auto isLike = [&](FunctionId other) {
    return stateOf(current_[other]) == stateOf(function) || walked_.contains({id, other});
  };
  bool hasOfUnit = llvm::any_of(named, isOfUnit), hasExternal = llvm::any_of(named, isExternal);
  if (isInternal(function) ? hasOfUnit : !hasExternal && hasOfUnit)
    named = narrowed(named, isOfUnit);
  else if (hasExternal) // it may have been internal
    named = narrowed(named, isExternal);
  else // it moved, and all internal ones of its name may be meant that say the same
    llvm::erase_if(named, [&](FunctionId other) { return !isLike(other); });
  return narrowed(named, [&](FunctionId other) { return sharesSymbol(current_[other], function); });
}

std::vector<Counterpart> Counterparts::of(FunctionId id, std::uint32_t image) const {
  Functions now = candidatesFor(id, image);
  if (now.size() == 1)
    return {{now.front(), false}};
  bool isSame = statesOf(baseline_, variantsOf(id, image)) == statesOf(current_, now);
  std::vector<Counterpart> all;
  for (FunctionId other : now)
    if (!isSame || stateOf(current_[other]) == stateOf(baseline_[id]))
      all.push_back({other, !isSame});
  return all;
}

std::optional<llvm::BitVector> Counterparts::carried(FunctionId id, Counterpart counterpart,
                                                     const llvm::BitVector &crossed) const {
  const Function &old = baseline_[id], &now = current_[counterpart.function];
  if (counterpart.isWhole)
    return llvm::BitVector(now.flow.edges.size(), true);
  if (stateOf(old) == stateOf(now) && old.flow.edges.size() == now.flow.edges.size())
    return crossed;
  auto pairs = walked_.find({id, counterpart.function});
  if (pairs == walked_.end())
    return std::nullopt;
  return carriedEdges(old.flow, now.flow, pairs->second, crossed);
}

} // namespace retest
