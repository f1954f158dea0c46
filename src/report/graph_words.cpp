#include "report/graph_words.h"

#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/JSON.h>

namespace retest {

llvm::StringRef wordFor(NodeKind kind) {
  switch (kind) {
  case NodeKind::Entry:
    return "entry";
  case NodeKind::Exit:
    return "exit";
  case NodeKind::ExceptionalExit:
    return "exceptional exit";
  case NodeKind::Terminate:
    return "terminate";
  case NodeKind::Block:
    return "block";
  case NodeKind::Call:
    return "call";
  case NodeKind::Cleanup:
    return "cleanup";
  case NodeKind::Try:
    return "try";
  case NodeKind::Catch:
    return "catch";
  }
  llvm_unreachable("a node kind without a word");
}

llvm::StringRef wordFor(EdgeKind kind) {
  switch (kind) {
  case EdgeKind::Flow:
    return "flow";
  case EdgeKind::Path:
    return "path";
  case EdgeKind::Exception:
    return "exception";
  case EdgeKind::Call:
    return "call";
  case EdgeKind::VirtualCall:
    return "virtual call";
  case EdgeKind::Return:
    return "return";
  }
  llvm_unreachable("an edge kind without a word");
}

llvm::StringRef wordFor(CallKind kind) {
  switch (kind) {
  case CallKind::Direct:
    return "direct";
  case CallKind::Virtual:
    return "virtual";
  case CallKind::Indirect:
    return "indirect";
  }
  llvm_unreachable("a call kind without a word");
}

llvm::StringRef wordFor(UseKind kind) {
  switch (kind) {
  case UseKind::Address:
    return "address";
  case UseKind::Variable:
    return "variable";
  case UseKind::Constructs:
    return "constructs";
  case UseKind::Layout:
    return "layout";
  case UseKind::Hierarchy:
    return "hierarchy";
  }
  llvm_unreachable("a use kind without a word");
}

llvm::StringRef wordFor(Linkage linkage) {
  switch (linkage) {
  case Linkage::Internal:
    return "internal";
  case Linkage::Weak:
    return "weak";
  case Linkage::Strong:
    return "strong";
  }
  llvm_unreachable("a linkage without a word");
}

llvm::StringRef wordFor(FunctionKind kind) {
  switch (kind) {
  case FunctionKind::Free:
    return "function";
  case FunctionKind::Method:
    return "method";
  case FunctionKind::Constructor:
    return "constructor";
  case FunctionKind::Destructor:
    return "destructor";
  case FunctionKind::Lambda:
    return "lambda";
  case FunctionKind::Initialiser:
    return "initialiser";
  }
  llvm_unreachable("a function kind without a word");
}

llvm::StringRef wordFor(ProgramKind kind) {
  switch (kind) {
  case ProgramKind::Executable:
    return "executable";
  case ProgramKind::SharedLibrary:
    return "shared library";
  case ProgramKind::Module:
    return "module";
  case ProgramKind::Archive:
    return "archive";
  }
  llvm_unreachable("a binary kind without a word");
}

llvm::StringRef wordFor(Presence presence) {
  switch (presence) {
  case Presence::Certain:
    return "certain";
  case Presence::Possible:
    return "possible";
  }
  llvm_unreachable("a presence without a word");
}

llvm::StringRef wordFor(RootKind kind) {
  switch (kind) {
  case RootKind::Initialiser:
    return "initialiser";
  case RootKind::Main:
    return "main";
  case RootKind::ExternalCode:
    return "external code";
  }
  llvm_unreachable("a root kind without a word");
}

llvm::SmallVector<llvm::StringRef, 4> flagsOf(const Function &function) {
  llvm::SmallVector<llvm::StringRef, 4> flags;
  const std::pair<bool, llvm::StringRef> all[] = {
      {function.isImplicit, "implicit"},          {function.isExternal, "external"},
      {function.isSystemHeader, "system header"}, {function.isVirtual, "virtual"},
      {function.isNoexcept, "noexcept"},          {function.isConstexpr, "constexpr"},
      {function.isDoneInPlace, "in place"},       {function.isPure, "pure"}};
  for (auto [applies, word] : all)
    if (applies)
      flags.push_back(word);
  return flags;
}

std::string utf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

} // namespace retest
