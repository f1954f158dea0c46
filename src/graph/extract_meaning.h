#pragma once

#include "graph/extract_context.h"
#include "graph/flow_graph.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/SmallVector.h>

#include <functional>

namespace retest {

/// A call that the meaning of an element contains.
struct FoundCall {
  const clang::Stmt *expression = nullptr;
  CallSite site;
};

/// The call that an expression performs itself (its operands may perform others), if any:
/// function, method and operator calls, constructors, operator new and delete.
std::optional<CallSite> callOf(UnitContext &unit, const clang::Stmt *expression);
/// `out << #x` may call operator<< <char[12]>, where 12 is the length of x as it is laid out. The
/// name of such an external callee without the length; nothing for all others.
std::optional<std::string> nameWithoutLength(UnitContext &unit, const clang::CallExpr *call,
                                             const clang::FunctionDecl *callee);
/// The call of a destructor of `record`; through a pointer or reference it may be virtual.
CallSite destructorCall(UnitContext &unit, const clang::CXXRecordDecl *record, bool mayDispatch);

/// Turns statements into fingerprints of their meaning, and notes what they depend on.
///
/// The tree is written down as a sequence of words (kind, type, operator, resolved declaration,
/// values, number of children, children) and hashed. Parentheses, layout, names of locals and
/// other things without meaning are left out; default arguments and initialisers are expanded.
/// Locals are numbered by first occurrence since `beginNode`.
class Meaning {
public:
  /// Where a statement was evaluated as an element of its own: distance 0 means nowhere. Such a
  /// statement is not written down again where its value is used, only referred to.
  using ElementDistance = std::function<unsigned(const clang::Stmt *)>;

  Meaning(UnitContext &unit, const clang::FunctionDecl *function)
      : unit_(unit), function_(function) {}

  void beginNode();
  void setElements(ElementDistance distance) { distance_ = std::move(distance); }

  std::uint64_t ofStatement(const clang::Stmt *statement);
  std::uint64_t ofTerminator(std::uint64_t kind);
  std::uint64_t ofDestructor(const clang::CXXRecordDecl *record, const clang::VarDecl *variable,
                             std::uint64_t kind);
  std::uint64_t ofInitialiser(const clang::CXXCtorInitializer *initialiser);
  /// The size expressions in a type.
  std::uint64_t ofSizes(clang::QualType type);
  std::uint64_t ofHandler(const clang::CXXCatchStmt *handler);

  // Collected since beginNode.
  std::vector<std::uint32_t> locals;
  std::vector<Use> uses;
  /// Calls inside the last statement that are no elements of their own (default arguments).
  llvm::SmallVector<FoundCall, 2> innerCalls;

  /// Adds what the value points to to the uses.
  void useTargets(const clang::APValue &value);

private:
  void add(std::uint64_t word) { words_.push_back(word); }
  void addType(clang::QualType type) { add(unit_.hashOfType(type)); }
  void addText(llvm::StringRef text);
  void addStatement(const clang::Stmt *statement);
  void addChildren(const clang::Stmt *statement);
  void addDetails(const clang::Stmt *statement);
  void addLiteral(const clang::Stmt *literal, bool isArgument);
  void addArgument(const clang::Expr *argument);
  void addArguments(llvm::ArrayRef<const clang::Expr *> arguments);
  void addInitialisers(llvm::ArrayRef<const clang::Expr *> initialisers);
  void addDeclaration(const clang::ValueDecl *declaration);
  void addVariable(const clang::VarDecl *variable);
  void addLocal(const clang::ValueDecl *local);
  void addCall(const clang::CallExpr *call);
  void addConstruction(const clang::CXXConstructExpr *construction);
  void addLambda(const clang::LambdaExpr *lambda);
  void addBlock(const clang::BlockDecl *block);
  void addLaterDestructor(clang::QualType type);
  void addInitList(const clang::InitListExpr *list);
  void addParenList(const clang::CXXParenListInitExpr *list);
  void addFieldNames(clang::QualType type);
  void useOpenArguments(const clang::CallExpr *call, const clang::FunctionDecl *callee);
  void addFolded(const clang::Expr *expression);
  void addAssembly(const clang::GCCAsmStmt *assembly);
  void addSizes(clang::QualType type);
  void addDeclStmt(const clang::DeclStmt *statement);
  void addCast(const clang::CastExpr *cast);
  void addBinary(const clang::BinaryOperator *operation);
  void addNew(const clang::CXXNewExpr *allocation);
  void addDelete(const clang::CXXDeleteExpr *destruction);
  void addThrow(const clang::CXXThrowExpr *thrower);
  void addTypeid(const clang::CXXTypeidExpr *query);
  void addValue(const clang::APValue &value, clang::QualType type);
  void addFunction(const clang::FunctionDecl *function, bool isCallee);
  void addCallee(const clang::CallExpr *call, const clang::FunctionDecl *callee);
  bool addEvaluated(const clang::Expr *expression);
  void addNoise(const clang::Expr *argument, const clang::Expr *literal);
  void addPosition(const clang::SourceLocExpr *place, bool isNoise);

  void use(UseKind kind, const clang::RecordDecl *record);
  void useClass(UseKind kind, clang::QualType type);
  /// The same for objects alone: a pointer to the class is not enough.
  void useObject(UseKind kind, clang::QualType type);
  /// What depends on where a field lies in its class: its address, a pointer to member.
  void usePlace(const clang::Expr *expression);
  std::uint64_t finish();

  UnitContext &unit_;
  const clang::FunctionDecl *function_;
  ElementDistance distance_;
  llvm::SmallVector<std::uint64_t, 128> words_;
  llvm::DenseMap<const clang::ValueDecl *, std::uint32_t> nodeLocals_;
  const clang::Stmt *root_ = nullptr;
  /// The default argument or initialiser around what is written down, if any.
  const clang::Stmt *implied_ = nullptr;
};

} // namespace retest
