#include "select/escapes.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

ShadowVerdict shadowVerdict(Verdict verdict, TestStatus before, llvm::ArrayRef<TestStatus> now) {
  if (verdict == Verdict::New || verdict == Verdict::Disabled || now.empty())
    return ShadowVerdict::Unknown;
  auto isAsBefore = [&](TestStatus status) { return status == before; };
  if (verdict != Verdict::Skipped)
    return isAsBefore(now.back()) ? ShadowVerdict::Unchanged : ShadowVerdict::Caught;
  if (llvm::all_of(now, isAsBefore))
    return ShadowVerdict::Unchanged;
  return llvm::any_of(now, isAsBefore) ? ShadowVerdict::Unstable : ShadowVerdict::Escaped;
}

} // namespace retest
