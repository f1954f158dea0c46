// What the meaning of a statement depends on: layouts, hierarchies, variables, functions.
#include "graph/extract_meaning.h"

namespace retest {

using namespace clang;

namespace {

/// The class behind any number of pointers, references and arrays.
const RecordDecl *recordOf(QualType type) {
  type = type.getNonReferenceType();
  while (true) {
    if (const Type *pointee = type->getPointeeOrArrayElementType();
        pointee != type.getTypePtr() && !type->isReferenceType())
      type = QualType(pointee, 0);
    else
      return type->getAsRecordDecl();
  }
}

} // namespace

void Meaning::use(UseKind kind, const RecordDecl *record) {
  if (!unit_.isInProject(record)) {
    // pair<M, int> lies in memory as M does; make_shared<M> makes an object with a vtable.
    const auto *external = dyn_cast_or_null<CXXRecordDecl>(record->getDefinition());
    if (!external || !(kind == UseKind::Layout
                           ? unit_.containsProjectType(external)
                           : external->isPolymorphic() &&
                                 unit_.namesProjectType(QualType(record->getTypeForDecl(), 0))))
      return;
    unit_.externalClasses.insert(external);
  }
  uses.push_back({kind, unit_.nameOf(record)});
}

void Meaning::useClass(UseKind kind, QualType type) {
  if (const RecordDecl *record = recordOf(type))
    use(kind, record);
}

void Meaning::useObject(UseKind kind, QualType type) {
  if (const RecordDecl *record = unit_.ast.getBaseElementType(type)->getAsRecordDecl())
    use(kind, record);
}

/// Who reads through an address reads what is there, who calls through it runs that.
void Meaning::useTargets(const APValue &value) {
  EntityNames::forEachTarget(value, [&](const ValueDecl *target) {
    if (isa<FunctionDecl>(target))
      uses.push_back({UseKind::Address, unit_.nameOf(target)});
    else if (const auto *variable = dyn_cast<VarDecl>(target);
             variable && !variable->isLocalVarDeclOrParm() && unit_.concernsProject(variable))
      uses.push_back({UseKind::Variable, unit_.nameOf(variable)});
  });
}

void Meaning::usePlace(const Expr *expression) {
  expression = expression->IgnoreParens();
  const ValueDecl *named = nullptr;
  if (const auto *member = dyn_cast<MemberExpr>(expression))
    named = member->getMemberDecl();
  else if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) // &S::field
    named = reference->getDecl();
  if (const auto *field = dyn_cast_or_null<FieldDecl>(named); field && expression->isGLValue())
    use(UseKind::Layout, field->getParent());
}

/// What is handed to code that no graph shows is read there as it lies in memory, and its virtual
/// methods are called by their order.
void Meaning::useOpenArguments(const CallExpr *call, const FunctionDecl *callee) {
  if (isa<CXXMethodDecl>(callee))
    return;
  bool isElsewhere =
      (!unit_.ast.getLangOpts().CPlusPlus || callee->isExternC()) && !callee->isDefined();
  for (unsigned i = isElsewhere ? 0 : callee->getNumParams(); i < call->getNumArgs(); ++i) {
    useClass(UseKind::Layout, call->getArg(i)->getType());
    if (const auto *record = dyn_cast_or_null<CXXRecordDecl>(recordOf(call->getArg(i)->getType()));
        record && record->hasDefinition() && record->isPolymorphic())
      for (const CXXMethodDecl *method : record->methods())
        if (method->isVirtual())
          add(unit_.hashOfName(method));
  }
}

} // namespace retest
