#include "graph/extract_meaning.h"

#include "graph/extract_sugar.h"

#include <llvm/Support/SaveAndRestore.h>
#include <llvm/Support/xxhash.h>

namespace retest {

using namespace clang;

namespace {

/// Words that stand where a statement's kind would; above all of Clang's kinds.
enum Marker : std::uint64_t {
  kNothing = 1'000,
  kReference,
  kCast,
  kEvaluated,
  kTerminator,
  kDestructor,
  kInitialiser,
  kHandler,
};

} // namespace

void Meaning::beginNode() {
  locals.clear();
  uses.clear();
  nodeLocals_.clear();
}

std::uint64_t Meaning::finish() {
  llvm::ArrayRef<std::uint8_t> bytes(reinterpret_cast<const std::uint8_t *>(words_.data()),
                                     words_.size() * sizeof(std::uint64_t));
  std::uint64_t hash = llvm::xxh3_64bits(bytes);
  words_.clear();
  root_ = nullptr;
  return hash;
}

std::uint64_t Meaning::ofStatement(const Stmt *statement) {
  root_ = statement;
  innerCalls.clear();
  addStatement(statement);
  return finish();
}

std::uint64_t Meaning::ofTerminator(std::uint64_t kind) {
  add(kTerminator);
  add(kind);
  return finish();
}

std::uint64_t Meaning::ofDestructor(const CXXRecordDecl *record, const VarDecl *variable,
                                    std::uint64_t kind) {
  add(kDestructor);
  add(kind);
  add(unit_.hashOfName(record));
  if (const CXXDestructorDecl *destructor = record->getDestructor())
    addFunction(destructor, true);
  if (variable && variable->getParentFunctionOrMethod())
    addLocal(variable);
  use(UseKind::Layout, record);
  return finish();
}

std::uint64_t Meaning::ofInitialiser(const CXXCtorInitializer *initialiser) {
  root_ = nullptr;
  innerCalls.clear();
  add(kInitialiser);
  if (const FieldDecl *field = initialiser->getAnyMember())
    addDeclaration(field);
  else if (initialiser->isBaseInitializer())
    addType(QualType(initialiser->getBaseClass(), 0));
  addStatement(initialiser->getInit());
  return finish();
}

std::uint64_t Meaning::ofSizes(QualType type) {
  addSizes(type);
  return finish();
}

std::uint64_t Meaning::ofHandler(const CXXCatchStmt *handler) {
  add(kHandler);
  QualType type = handler->getCaughtType();
  if (!type.isNull()) {
    addType(type);
    useClass(UseKind::Hierarchy, type);
    useClass(UseKind::Layout, type);
  }
  return finish();
}

void Meaning::addText(llvm::StringRef text) { add(llvm::xxh3_64bits(text)); }

void Meaning::addValue(const APValue &value, QualType type) {
  add(kEvaluated);
  addText(unit_.entities.textOf(value, type));
  useTargets(value);
}

bool Meaning::addEvaluated(const Expr *expression) {
  Expr::EvalResult result;
  if (expression->isValueDependent() || !expression->EvaluateAsRValue(result, unit_.ast))
    return false;
  addValue(result.Val, expression->getType());
  return true;
}

void Meaning::addStatement(const Stmt *statement) {
  if (!statement) {
    add(kNothing);
    return;
  }
  llvm::SaveAndRestore implied(implied_);
  for (const Stmt *outer = nullptr; statement != outer; statement = withoutSugar(outer)) {
    if (isa<CXXDefaultArgExpr, CXXDefaultInitExpr>(statement))
      implied_ = statement;
    if (statement != root_ && distance_)
      if (unsigned distance = distance_(statement)) {
        add(kReference);
        add(distance);
        return;
      }
    outer = statement;
  }
  if (const auto *constant = dyn_cast<ConstantExpr>(statement)) {
    addType(constant->getType());
    if (constant->hasAPValueResult())
      addValue(constant->getAPValueResult(), constant->getType());
    else if (!addEvaluated(constant->getSubExpr()))
      addStatement(constant->getSubExpr());
    return;
  }
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, StringLiteral>(statement)) {
    addLiteral(statement, false);
    return;
  }
  const auto *expression = dyn_cast<Expr>(statement);
  add(isa<CastExpr>(statement) ? std::uint64_t{kCast} : statement->getStmtClass());
  if (expression && !isa<PredefinedExpr, SourceLocExpr>(expression)) {
    addType(expression->getType());
    add(expression->getValueKind());
  }
  if (std::optional<CallSite> call = statement == root_ ? std::nullopt : callOf(unit_, statement))
    innerCalls.push_back({statement, *call});
  addDetails(statement);
}

void Meaning::addChildren(const Stmt *statement) {
  std::size_t count = words_.size();
  add(0);
  for (const Stmt *child : statement->children()) {
    addStatement(child);
    ++words_[count];
  }
}

} // namespace retest
