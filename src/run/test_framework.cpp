#include "run/test_framework.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>

#include <tuple>

namespace retest {

namespace {

/// What tells a framework, as pieces of mangled names.
struct Signs {
  Framework framework;
  llvm::StringRef entry; ///< of the function that runs the tests
  llvm::StringRef test;  ///< of what each test leaves behind
  llvm::StringRef other; ///< of what registers a test
  bool hasEntry = false, hasTest = false, hasOther = false;

  void look(llvm::StringRef name) {
    hasEntry = hasEntry || name.contains(entry);
    hasTest = hasTest || name.contains(test);
    hasOther = hasOther || name.contains(other);
  }
  auto rank() const { return std::tuple(hasEntry, hasTest, hasOther); }
};

void lookAt(llvm::iterator_range<llvm::object::symbol_iterator> symbols,
            llvm::MutableArrayRef<Signs> all) {
  for (const llvm::object::SymbolRef &symbol : symbols) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    for (Signs &signs : all)
      signs.look(*name);
  }
}

} // namespace

std::optional<Framework> detectFramework(const std::string &program) {
  auto file = llvm::object::ObjectFile::createObjectFile(program);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  Signs all[] = {
      {Framework::Catch2, "N5Catch7Session", "C_A_T_C_H_T_E_S_T_", "N5Catch7AutoReg"}, // version 2
      {Framework::Catch2, "N5Catch7Session", "CATCH2_INTERNAL_TEST_", "N5Catch7AutoReg"},
      {Framework::Doctest, "N7doctest7Context3run", "DOCTEST_ANON_FUNC_",
       "N7doctest6detail7regTest"},
      {Framework::BoostTest, "N5boost9unit_test14unit_test_main", "11test_methodEv",
       "N5boost9unit_test"},
      {Framework::GoogleTest, "N7testing14InitGoogleTest", "N7testing8internal15TestFactoryImpl",
       "N7testing8internal23MakeAndRegisterTestInfo"},
  };
  lookAt(file->getBinary()->symbols(), all);
  if (auto *elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->getBinary()))
    lookAt(elf->getDynamicSymbolIterators(), all);
  const Signs *best = nullptr;
  for (const Signs &signs : all)
    if ((signs.hasEntry || signs.hasOther) && (!best || signs.rank() > best->rank()))
      best = &signs;
  return best ? std::optional(best->framework) : std::nullopt;
}

} // namespace retest
