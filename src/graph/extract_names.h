#pragma once

#include "graph/extract_macros.h"
#include "graph/extract_places.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/StringSaver.h>

namespace retest {

/// The lasting names of declarations, types and constant values.
///
/// Clang's own printers leak paths and lines ("(lambda at a.cpp:3:5)"), and USRs and mangled
/// names number lambdas and anonymous types by their place in the unit. These names do not:
///
///     ns::Box<int>::put(int) const
///     run(int)::lambda#1(char)              the first lambda in run(int)
///     table::lambda#2()                     the second in the initialiser of `table`
///     run(int)::static#1                    the first static local of run(int)
///     Node::(union of tag)                  an anonymous union whose first member is `tag`
///     DOCTEST_ANON_FUNC_[TEST_CASE("x")]    a name pasted with __COUNTER__, told by its macro
///
/// Two different declarations of one unit may get the same name (function templates that differ
/// in their constraints alone); they are variants of one name then.
class EntityNames {
public:
  EntityNames(clang::ASTContext &context, Places &places, Macros &macros)
      : context_(context), places_(places), macros_(macros) {}

  llvm::StringRef of(const clang::NamedDecl *declaration);
  llvm::StringRef ofType(clang::QualType type);
  /// Without its scope, as fields need it.
  std::string simpleName(const clang::NamedDecl *declaration);

  void printValue(const clang::APValue &value, clang::QualType type, llvm::raw_ostream &out);
  std::string textOf(const clang::APValue &value, clang::QualType type);
  /// Calls `visit` for each variable, function and member that the value points to.
  static void forEachTarget(const clang::APValue &value,
                            llvm::function_ref<void(const clang::ValueDecl *)> visit);

private:
  std::string print(const clang::NamedDecl *declaration);
  std::string scope(const clang::DeclContext *context);
  std::string tagName(const clang::TagDecl *tag);
  std::string functionName(const clang::FunctionDecl *function);
  bool tellsPosition(const clang::NamedDecl *declaration);
  std::string nameWithoutPosition(const clang::NamedDecl *declaration);
  unsigned positionOrdinal(const clang::NamedDecl *declaration);
  llvm::SmallVector<const clang::DeclContext *, 8> partsOf(const clang::DeclContext *context) const;
  unsigned ordinal(const clang::TagDecl *tag);
  void numberTags(const clang::DeclContext *context);
  void numberOwned(const clang::Decl *declaration);
  void numberLambdas(const clang::NamedDecl *owner, const clang::Stmt *initialiser);

  void printType(clang::QualType type, llvm::raw_ostream &out);
  void printFunctionType(const clang::FunctionType *type, llvm::raw_ostream &out);
  void printArguments(llvm::ArrayRef<clang::TemplateArgument> arguments, llvm::raw_ostream &out);
  void printArgument(const clang::TemplateArgument &argument, llvm::raw_ostream &out);
  void printAddress(const clang::TemplateArgument &argument, llvm::raw_ostream &out);
  void printStruct(const clang::APValue &value, clang::QualType type, llvm::raw_ostream &out);
  void printLValue(const clang::APValue &value, llvm::raw_ostream &out);
  void printTarget(const clang::ValueDecl *target, llvm::raw_ostream &out);

  clang::ASTContext &context_;
  Places &places_;
  Macros &macros_;
  llvm::BumpPtrAllocator allocator_;
  llvm::StringSaver saver_{allocator_};
  llvm::DenseMap<const clang::Decl *, llvm::StringRef> names_;
  llvm::DenseMap<void *, llvm::StringRef> types_;
  llvm::DenseMap<const clang::Decl *, unsigned> ordinals_;
  llvm::DenseMap<const clang::Decl *, const clang::NamedDecl *> lambdaOwners_;
  llvm::DenseMap<const clang::NamedDecl *, unsigned> lambdasOf_;
  llvm::DenseSet<const clang::DeclContext *> numbered_, numberedByPosition_;
  llvm::DenseMap<const clang::Decl *, unsigned> positionOrdinals_;
};

} // namespace retest
