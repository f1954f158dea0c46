// Objects under construction: while one part is made, those finished before it are destroyed by an
// exception, and the object itself is not.
#include "graph/extract_unwinding.h"

namespace retest {

using namespace clang;

/// Takes out steps that lie inside `outside`: those pushed later stay, in order. So temporaries
/// outlive the construction that they were made for.
void Unwinding::take(llvm::ArrayRef<int> steps, int outside) {
  llvm::SmallVector<UnwindStep, 4> kept;
  for (int step = current_; step != outside && step != kLeaves; step = steps_[step].outer)
    if (!llvm::is_contained(steps, step))
      kept.push_back(steps_[step]);
  current_ = outside;
  for (const UnwindStep &step : llvm::reverse(kept))
    push(step);
}

/// What constructs an object in its place: that is no temporary, even if written as one.
void Unwinding::visitPart(const Expr *initialiser) {
  const auto *bound = dyn_cast<CXXBindTemporaryExpr>(initialiser->IgnoreParenCasts());
  if (!bound || !initialiser->isPRValue())
    return visit(initialiser);
  noteStep(bound);
  visit(bound->getSubExpr());
}

void Unwinding::visitList(const Expr *list, llvm::ArrayRef<Expr *> parts, const Expr *filler) {
  int outside = current_;
  llvm::SmallVector<int, 4> finished;
  if (pushFinishedElements(list->getType()))
    finished.push_back(current_);
  for (const Expr *part : parts) {
    visitPart(part);
    if (list->getType()->isRecordType() && part->isPRValue() &&
        pushDestructor(part->getType(), nullptr))
      finished.push_back(current_);
  }
  visit(filler);
  take(finished, outside);
}

void Unwinding::visitCaptures(const LambdaExpr *lambda) {
  int outside = current_;
  llvm::SmallVector<int, 4> finished;
  for (const Expr *capture : lambda->capture_inits()) {
    if (!capture) // the size of an array
      continue;
    visitPart(capture);
    if (capture->isPRValue() && pushDestructor(capture->getType(), nullptr))
      finished.push_back(current_);
  }
  take(finished, outside);
}

/// One constructor for all elements of an array, or for one object.
void Unwinding::visitConstruction(const Expr *construction) {
  visitChildren(construction);
  if (!mayThrow(ast_, construction))
    return;
  int before = current_;
  pushFinishedElements(construction->getType());
  noteStep(construction);
  current_ = before;
}

void Unwinding::visitArrayCopy(const ArrayInitLoopExpr *loop) {
  visit(loop->getCommonExpr()->getSourceExpr());
  int outside = current_;
  pushFinishedElements(loop->getType());
  visit(loop->getSubExpr());
  current_ = outside; // what one element needed is gone before the next
}

void Unwinding::visitNew(const CXXNewExpr *allocation) {
  if (allocation->isArray() && allocation->getArraySize())
    visit(*allocation->getArraySize());
  for (unsigned i = 0; i < allocation->getNumPlacementArgs(); ++i)
    visit(allocation->getPlacementArg(i));
  noteStep(allocation);
  if (!allocation->getInitializer())
    return;
  int outside = current_;
  if (allocation->getOperatorDelete())
    push({UnwindStep::Kind::Deallocate, nullptr, nullptr, allocation->getOperatorDelete(), nullptr,
          kLeaves});
  int allocated = current_;
  visitPart(allocation->getInitializer());
  // Once the object is constructed its memory is no longer given back.
  take(allocated, outside);
}

} // namespace retest
