#include "cov/module_probes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace retest {

Symbols symbolsOf(const Project &project, const Names &names, llvm::ArrayRef<UnitId> units) {
  Symbols symbols;
  for (UnitId unit : units)
    for (FunctionId function : project[unit].functions)
      for (NameId symbol : project[function].symbols)
        symbols[withoutNumbers(names.text(symbol))].push_back({function, unit});
  return symbols;
}

std::string withoutNumbers(llvm::StringRef symbol) {
  auto isDigit = [](char c) { return llvm::isDigit(c); };
  std::string result;
  while (!symbol.empty()) {
    std::size_t end = symbol.find("$_");
    if (end == llvm::StringRef::npos)
      return result + symbol.str();
    // Before it stands its length, "4$_10".
    llvm::StringRef before = symbol.take_front(end);
    while (!before.empty() && isDigit(before.back()))
      before = before.drop_back();
    result += before.str() + "$_";
    symbol = symbol.drop_front(end + 2).drop_while(isDigit);
  }
  return result;
}

bool isNumbered(llvm::StringRef symbol) {
  return symbol.substr(2).contains('Z') || symbol.contains('$');
}

std::vector<FunctionId> candidates(llvm::StringRef symbol, const Symbols &symbols,
                                   llvm::function_ref<bool(UnitId)> isMeant) {
  std::vector<FunctionId> all, meant;
  auto found = symbols.find(symbol);
  if (found == symbols.end())
    return all;
  for (const FunctionOfUnit &each : found->second) {
    all.push_back(each.function);
    if (isMeant(each.unit))
      meant.push_back(each.function);
  }
  std::vector<FunctionId> chosen = meant.empty() ? std::move(all) : std::move(meant);
  llvm::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

bool hasProbe(const Function &function) {
  return !function.isImplicit && !function.isExternal && !function.isSystemHeader;
}

void addWhole(const Project &project, FunctionId function, CrossedFunctions &crossed) {
  llvm::BitVector &edges = crossed[function.value];
  edges.resize(project[function].flow.edges.size());
  edges.set();
}

} // namespace retest
