#pragma once

#include "graph/extract_names.h"
#include "graph/extract_options.h"
#include "graph/extract_preprocessing.h"
#include "graph/names.h"
#include "support/fingerprint.h"

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Demangle/Demangle.h>

namespace retest {

/// What all parts of the extraction share while they read one translation unit.
class UnitContext {
public:
  UnitContext(clang::ASTContext &ast, Preprocessing &preprocessing, const ExtractOptions &options,
              Names &names)
      : ast(ast), options(options), names(names), places(preprocessing.places),
        compiledOut(preprocessing.compiledOut),
        macrosNameProject(preprocessing.headers.isGivenNames()),
        preprocessor(preprocessing.preprocessor), macros(preprocessing.preprocessor, places),
        entities(ast, places, macros) {}

  clang::ASTContext &ast;
  const ExtractOptions &options;
  Names &names;
  Places &places;
  CompiledOut &compiledOut;
  const bool macrosNameProject; ///< HeaderTokens::isGivenNames
  const clang::Preprocessor &preprocessor;
  Macros macros;
  EntityNames entities;

  NameId nameOf(const clang::NamedDecl *declaration) {
    return names.intern(entities.of(declaration));
  }

  // 64-bit hashes, each computed once.
  std::uint64_t hashOfName(const clang::NamedDecl *declaration);
  std::uint64_t hashOfType(clang::QualType type);
  /// Of what tells a function template from others with the same parameters: packs, constraints.
  std::uint64_t hashOfTemplate(const clang::FunctionDecl *instance);
  /// Of the value of a variable that constant expressions may use, or of a static local; 0 if it
  /// has none before the program runs.
  std::uint64_t hashOfConstant(const clang::VarDecl *variable);

  bool isInProject(const clang::Decl *declaration) {
    return places.isInProject(declaration->getLocation());
  }
  /// Whether the body is in the project, though the function may hang on an external class
  /// template.
  bool isDefinedInProject(const clang::FunctionDecl *function);
  /// Whether the function is found among the declarations of the project.
  bool isDeclaredInProject(const clang::FunctionDecl *function);
  /// Whether the name of the type contains a class or enumeration of the project.
  bool namesProjectType(clang::QualType type);
  bool namesProjectType(const clang::TemplateArgument &argument);
  /// Whether an alias in the project, such as a member of a specialised trait, gives the type.
  bool isAliasOfProject(clang::QualType type);
  /// The same for what is written, at any depth: aliases, variables and classes of the project in
  /// template arguments, qualifiers and bounds of arrays.
  bool mentionsProject(clang::TypeLoc type);
  bool mentionsProject(clang::NestedNameSpecifierLoc qualifier);
  bool mentionsProject(llvm::ArrayRef<clang::TemplateArgumentLoc> arguments);
  /// Whether objects of the class have an object of a type inside them that the project decides.
  bool containsProjectType(const clang::RecordDecl *record);
  /// Whether the variable is or may be defined in the project, or is an instantiation that names a
  /// type of it.
  bool concernsProject(const clang::VarDecl *variable);

  /// The number of a local variable in its function, by order of declaration.
  std::uint32_t numberOfLocal(const clang::ValueDecl *local);

  /// The variable behind a symbol: of this unit, or else of another.
  NameId variableOfSymbol(llvm::StringRef symbol) {
    auto own = variablesBySymbol.find(symbol);
    return own == variablesBySymbol.end() ? names.intern(llvm::demangle(symbol)) : own->second;
  }
  llvm::StringMap<NameId> variablesBySymbol;

  /// Functions outside the project that the graph mentions: instantiations among them may have
  /// to become part of it.
  llvm::SetVector<const clang::FunctionDecl *> externalFunctions;
  /// Variables outside the project that were instantiated with its types: their initialisers may
  /// run code of the project before main.
  llvm::SetVector<const clang::VarDecl *> externalVariables;
  /// Classes outside the project whose place in the hierarchy matters: bases of classes in the
  /// graph, and classes on which virtual methods are called.
  llvm::SetVector<const clang::CXXRecordDecl *> externalClasses;

  /// The layout of a class, with that of its bases and members at any depth.
  Fingerprint layoutOf(const clang::RecordDecl *record);
  /// The attributes of a declaration and its parameters that act on the code made from it or on
  /// those who use it; [[nodiscard]], [[deprecated]] and their like do not.
  Fingerprint attributesOf(const clang::Decl *declaration);
  /// Adds the attributes of the statements in a body that have an effect.
  void addStatementAttributes(const clang::Stmt *statement, FingerprintBuilder &hash);

private:
  void numberLocals(const clang::Stmt *statement, std::uint32_t &next);
  void addUnderlyingTypes(clang::QualType type, std::string &text);

  llvm::DenseMap<const clang::Decl *, std::uint64_t> nameHashes_;
  llvm::DenseMap<void *, std::uint64_t> typeHashes_;
  llvm::DenseMap<const clang::Decl *, std::uint64_t> templateHashes_;
  llvm::DenseMap<const clang::VarDecl *, std::uint64_t> constants_;
  llvm::DenseMap<const clang::Type *, bool> projectTypes_;
  llvm::DenseMap<const clang::RecordDecl *, Fingerprint> layouts_;
  llvm::DenseMap<const clang::Decl *, Fingerprint> attributes_;
  llvm::DenseMap<const clang::RecordDecl *, bool> containers_;
  llvm::DenseMap<const clang::Decl *, std::uint32_t> unnumbered_; ///< locals, by function
  llvm::DenseMap<const clang::ValueDecl *, std::uint32_t> locals_;
  llvm::DenseSet<const clang::Decl *> numberedFunctions_;
};

} // namespace retest
