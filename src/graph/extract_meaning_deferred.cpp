// What a statement sets up now and what runs later: destructors of objects that outlive it, the
// code of block literals.
#include "graph/extract_flow.h"
#include "graph/extract_meaning.h"

namespace retest {

using namespace clang;

/// The destructor of an object that is made here and that no edge of this function leads to.
void Meaning::addLaterDestructor(QualType type) {
  const CXXRecordDecl *record = unit_.ast.getBaseElementType(type)->getAsCXXRecordDecl();
  if (record && record->hasDefinition() && !record->hasTrivialDestructor() &&
      record->getDestructor())
    addFunction(record->getDestructor(), false);
}

} // namespace retest
