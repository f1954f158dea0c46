#include "graph/extract_registration.h"

#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringSet.h>

namespace retest {

using namespace clang;

namespace {

/// The outermost namespaces around a declaration: "boost", "unit_test".
std::pair<llvm::StringRef, llvm::StringRef> namespacesOf(const Decl *declaration) {
  llvm::StringRef outermost, second;
  for (const DeclContext *context = declaration->getDeclContext(); context;
       context = context->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(context);
        space && !space->isAnonymousNamespace() && !space->isInline())
      second = std::exchange(outermost, space->getName());
  return {outermost, second};
}

bool isInNamespace(const Decl *declaration, llvm::StringRef name) {
  for (const DeclContext *context = declaration->getDeclContext(); context;
       context = context->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(context); space && space->getName() == name)
      return true;
  return false;
}

/// What the frameworks' macros call, or construct, to make a test or suite known. Environments,
/// fixtures of a whole program, listeners and translators of exceptions concern all tests.
bool isRegistration(const FunctionDecl *function) {
  static const llvm::StringSet<> kNames = {
      "MakeAndRegisterTestInfo",
      "AddTestPattern",
      "AddTestSuiteInstantiation",
      "AddTestCaseInstantiation",
      "Register",
      "AddTestName",
      "VerifyRegisteredTestNames",
      "TypedTestSuitePState",
      "TypedTestCasePState",
      "MarkAsIgnored",
      "AutoReg",
      "regTest",
      "setTestSuite",
      "auto_test_unit_registrar",
  };
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    return kNames.contains(constructor->getParent()->getName());
  // GoogleTest's are methods: free functions of these names are somebody's own.
  return function->getIdentifier() && kNames.contains(function->getName()) &&
         (isa<CXXMethodDecl>(function) || function->getName() != "Register");
}

/// The text of an argument that is a literal, maybe given to a class of strings.
std::optional<std::string> literalIn(const Expr *argument) {
  while (argument) {
    argument = argument->IgnoreImplicit()->IgnoreParenCasts();
    if (const auto *literal = dyn_cast<clang::StringLiteral>(argument))
      return literal->isOrdinary() || literal->isUTF8() ? std::optional(literal->getString().str())
                                                        : std::nullopt;
    const auto *construction = dyn_cast<CXXConstructExpr>(argument);
    argument = construction && construction->getNumArgs() > 0 ? construction->getArg(0) : nullptr;
  }
  return std::nullopt;
}

/// BOOST_AUTO_TEST_SUITE(name) opens a namespace, and puts a registrar into it.
bool isBoostSuite(const NamespaceDecl *space) {
  std::string registrar = space->getName().str() + "_registrar";
  for (const NamespaceDecl *part : space->redecls())
    for (const Decl *inside : part->decls())
      if (const auto *variable = dyn_cast<VarDecl>(inside);
          variable && variable->getName().starts_with(registrar))
        return true;
  return false;
}

/// Whether a constructor takes something that makes tests, instead of one test.
bool isGenerator(const CXXConstructorDecl *constructor) {
  if (constructor->getNumParams() == 0)
    return false;
  QualType first = constructor->getParamDecl(0)->getType().getNonReferenceType();
  const CXXRecordDecl *type = first->getAsCXXRecordDecl();
  return type && type->getName() == "test_unit_generator";
}

/// "outer/inner/", the suites around a test of Boost.Test.
std::string boostSuites(const Decl *declaration) {
  std::string path;
  for (const DeclContext *context = declaration->getDeclContext(); context;
       context = context->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(context); space && isBoostSuite(space))
      path = space->getName().str() + "/" + path;
  return path;
}

/// Reads an initialiser, and the functions of the project that it calls.
class Registration {
public:
  Registration(UnitContext &unit, const VarDecl *variable) : unit_(unit), variable_(variable) {}

  bool isFound() const { return isFound_; }
  /// Function::registeredTest.
  std::string name() const { return names_ > 1 ? kManyTests : name_; }

  /// Whether some macro of a framework has written what is at `place`.
  bool isWrittenByFramework(SourceLocation place) {
    const SourceManager &sources = unit_.places.sources();
    for (; place.isMacroID(); place = sources.getImmediateMacroCallerLoc(place))
      if (isFrameworkFile(sources.getSpellingLoc(place)))
        return true;
    return isFrameworkFile(place);
  }

  /// Whether running the statement leads to nothing but the framework.
  bool isHarmless(const Stmt *statement) {
    if (!statement)
      return true;
    if (const auto *call = dyn_cast<CallExpr>(statement)) {
      if (!call->getDirectCallee() || !isHarmless(call->getDirectCallee()))
        return false;
      readName(call);
    } else if (const auto *construction = dyn_cast<CXXConstructExpr>(statement)) {
      if (!isHarmless(construction->getConstructor()))
        return false;
      readName(construction);
    } else if (const auto *temporary = dyn_cast<CXXBindTemporaryExpr>(statement)) {
      if (!isHarmless(temporary->getTemporary()->getDestructor()))
        return false;
    } else if (const auto *allocation = dyn_cast<CXXNewExpr>(statement)) {
      if (!isHarmless(allocation->getOperatorNew()))
        return false;
    } else if (const auto *argument = dyn_cast<CXXDefaultArgExpr>(statement)) {
      return isHarmless(argument->getExpr());
    } else if (const auto *member = dyn_cast<CXXDefaultInitExpr>(statement)) {
      return isHarmless(member->getExpr());
    } else if (const auto *lambda = dyn_cast<LambdaExpr>(statement)) {
      return llvm::all_of(lambda->capture_inits(),
                          [&](const Expr *capture) { return isHarmless(capture); });
    } else if (writes(statement) && !isWrittenByFramework(statement->getBeginLoc())) {
      return false;
    }
    return llvm::all_of(statement->children(),
                        [&](const Stmt *child) { return isHarmless(child); });
  }

private:
  void addName(const std::optional<std::string> &name) {
    ++names_;
    name_ = name.value_or(kManyTests);
  }

  /// What the macros of the frameworks say of a test.
  void readName(const CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    llvm::StringRef name = callee->getIdentifier() ? callee->getName() : "";
    if (!isOfFramework(callee))
      return;
    if (name == "MakeAndRegisterTestInfo" && call->getNumArgs() > 1) {
      std::optional<std::string> suite = literalIn(call->getArg(0));
      std::optional<std::string> test = literalIn(call->getArg(1));
      addName(suite && test ? std::optional(*suite + "." + *test) : std::nullopt);
    } else if (name == "AddTestPattern" || name.contains("Instantiation") || name == "Register" ||
               name.contains("template")) {
      addName(std::nullopt); // as many as there are parameters or types
    } else if (name == "make_test_case" && call->getNumArgs() > 1) {
      std::optional<std::string> test = literalIn(call->getArg(1));
      addName(test ? std::optional(boostSuites(variable_) + *test) : std::nullopt);
    } else if (const auto *times = dyn_cast<CXXOperatorCallExpr>(call);
               times && times->getOperator() == OO_Star) {
      // doctest: TestCase(...) * "name" * decorator("...")
      const auto *method = dyn_cast<CXXMethodDecl>(callee);
      if (method && method->getParent()->getName() == "TestCase" &&
          method->getParamDecl(0)->getType()->isPointerType())
        addName(literalIn(times->getArg(1)));
    }
  }

  void readName(const CXXConstructExpr *construction) {
    const CXXRecordDecl *type = construction->getConstructor()->getParent();
    if (!isOfFramework(construction->getConstructor()))
      return;
    if (type->getName() == "NameAndTags" && construction->getNumArgs() > 0 &&
        !construction->getConstructor()->isCopyOrMoveConstructor())
      addName(literalIn(construction->getArg(0)));
    // Boost.Test: for each type of a template, or each row of data.
    else if (type->getName() == "auto_test_unit_registrar" &&
             isGenerator(construction->getConstructor()))
      addName(std::nullopt);
    // doctest: with a type it is one of a template, whose name has the type's.
    else if (type->getName() == "TestCase" && construction->getNumArgs() > 4 &&
             !isa<CXXDefaultArgExpr>(construction->getArg(4)))
      addName(std::nullopt);
  }

  bool isFrameworkFile(SourceLocation place) {
    NameId file = unit_.places.position(place).file;
    if (!file.isValid())
      return false;
    std::string name = unit_.names.text(file).lower();
    for (llvm::StringRef word : {"gtest", "gmock", "googletest", "catch", "doctest", "boost/test"})
      if (llvm::StringRef(name).contains(word))
        return true;
    return false;
  }

  bool isOfFramework(const FunctionDecl *function) {
    auto [outermost, second] = namespacesOf(function);
    bool isInside = outermost == "testing" || outermost == "Catch" || outermost == "doctest" ||
                    (outermost == "boost" && second == "unit_test") ||
                    isInNamespace(function, "doctest_detail_test_suite_ns");
    return isInside && isWrittenByFramework(function->getLocation());
  }

  static bool writes(const Stmt *statement) {
    if (const auto *binary = dyn_cast<BinaryOperator>(statement))
      return binary->isAssignmentOp();
    if (const auto *unary = dyn_cast<UnaryOperator>(statement))
      return unary->isIncrementDecrementOp();
    return isa<CXXDeleteExpr, CXXThrowExpr, AsmStmt>(statement);
  }

  bool isHarmless(const FunctionDecl *function) {
    if (isOfFramework(function)) {
      isFound_ = isFound_ || isRegistration(function);
      return true;
    }
    if (function->isReplaceableGlobalAllocationFunction() || function->isTrivial())
      return true;
    if (!unit_.isInProject(function)) { // text and callables for the framework
      llvm::StringRef outermost = namespacesOf(function).first;
      return outermost == "std" || outermost == "boost" || function->getBuiltinID() != 0;
    }
    // A function that the macro has written, such as AddToRegistry() of TEST_P.
    const FunctionDecl *definition = nullptr;
    if (!function->hasBody(definition) || !isWrittenByFramework(definition->getBeginLoc()))
      return false;
    if (!seen_.insert(definition).second)
      return true;
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer *initialiser : constructor->inits())
        if (!isHarmless(initialiser->getInit()))
          return false;
    return isHarmless(definition->getBody());
  }

  UnitContext &unit_;
  const VarDecl *variable_;
  llvm::DenseSet<const FunctionDecl *> seen_;
  bool isFound_ = false;
  unsigned names_ = 0;
  std::string name_;
};

} // namespace

std::optional<std::string> testRegistration(UnitContext &unit, const VarDecl *variable) {
  Registration registration(unit, variable);
  if (!variable->getInit() || !registration.isWrittenByFramework(variable->getBeginLoc()) ||
      !registration.isHarmless(variable->getInit()) || !registration.isFound())
    return std::nullopt;
  return registration.name();
}

} // namespace retest
