#include "diff/compare.h"

#include "diff/comparison.h"

namespace retest {

Delta compare(const Project &baseline, const Project &current, const Names &names,
              const Rules &rules) {
  Comparison comparison(baseline, current, names, rules);
  compareFunctions(comparison); // first: the others ask which nodes still have a counterpart
  compareDefinitions(comparison);
  compareInitialisers(comparison);
  compareDispatch(comparison);
  compareUnits(comparison);
  return comparison.finish();
}

} // namespace retest
