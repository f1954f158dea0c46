#include "support/error.h"

#include <llvm/Support/raw_ostream.h>

namespace retest {

char Failure::ID = 0;

void Failure::log(llvm::raw_ostream &out) const { out << message_; }

std::error_code Failure::convertToErrorCode() const { return llvm::inconvertibleErrorCode(); }

} // namespace retest
