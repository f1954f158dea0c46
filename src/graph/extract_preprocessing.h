#pragma once

#include "graph/extract_compiled_out.h"
#include "graph/extract_header_tokens.h"
#include "graph/extract_pragmas.h"

namespace retest {

/// What is noted while Clang preprocesses a unit: it is gone when there is a tree to read.
struct Preprocessing {
  Preprocessing(clang::Preprocessor &preprocessor, const ProjectPaths &paths, Names &names)
      : preprocessor(preprocessor), places(preprocessor.getSourceManager(), paths, names),
        headers(preprocessor, places), compiledOut(preprocessor, places),
        pragmas(preprocessor, places) {}

  const clang::Preprocessor &preprocessor;
  Places places;
  HeaderTokens headers;
  CompiledOut compiledOut;
  ProjectPragmas pragmas;
};

} // namespace retest
