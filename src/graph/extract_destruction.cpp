#include "graph/extract_destruction.h"

namespace retest {

using namespace clang;

const CXXDestructorDecl *destructorOf(const CXXRecordDecl *record) {
  return record && record->hasDefinition() && !record->hasTrivialDestructor()
             ? record->getDestructor()
             : nullptr;
}

const CXXDestructorDecl *destructorOf(ASTContext &ast, QualType type) {
  return destructorOf(ast.getBaseElementType(type)->getAsCXXRecordDecl());
}

clang::SourceRange endOfScope(const Stmt *trigger) {
  return isa<CompoundStmt>(trigger) ? trigger->getEndLoc() : trigger->getBeginLoc();
}

Destruction destructionAt(ASTContext &ast, const Unwinding &unwinding,
                          const CFGImplicitDtor &element) {
  Destruction end;
  end.kind = element.getKind();
  if (auto deleted = element.getAs<CFGDeleteDtor>()) {
    end.destructor = destructorOf(deleted->getCXXRecordDecl());
    end.where = deleted->getDeleteExpr()->getSourceRange();
    end.steps = llvm::to_vector<1>(unwinding.stepsAt(deleted->getDeleteExpr()));
    end.isDelete = true;
    return end;
  }
  if (auto base = element.getAs<CFGBaseDtor>()) { // getDestructorDecl knows none
    end.destructor = destructorOf(base->getBaseSpecifier()->getType()->getAsCXXRecordDecl());
    end.where = base->getBaseSpecifier()->getSourceRange();
    end.steps = {unwinding.stepBehind(base->getBaseSpecifier())};
    return end;
  }
  if (const CXXDestructorDecl *destructor = element.getDestructorDecl(ast))
    end.destructor = destructorOf(destructor->getParent());
  if (auto automatic = element.getAs<CFGAutomaticObjDtor>()) {
    end.variable = automatic->getVarDecl();
    end.steps = {unwinding.stepBehind(end.variable)};
    end.where = endOfScope(automatic->getTriggerStmt());
  } else if (auto temporary = element.getAs<CFGTemporaryDtor>()) {
    end.where = temporary->getBindTemporaryExpr()->getSourceRange();
    end.steps = llvm::to_vector<1>(unwinding.stepsAt(temporary->getBindTemporaryExpr()));
  } else if (auto member = element.getAs<CFGMemberDtor>()) {
    end.where = member->getFieldDecl()->getSourceRange();
    end.steps = {unwinding.stepBehind(member->getFieldDecl())};
  }
  return end;
}

} // namespace retest
