#pragma once

#include "graph/extract_compiled_out.h"
#include "graph/extract_header_tokens.h"
#include "graph/extract_pragmas.h"

namespace retest {

/// What is noted while Clang preprocesses a unit: it is gone when there is a tree to read.
struct Preprocessing {
  Preprocessing(clang::Preprocessor &preprocessor, const ProjectPaths &paths, Names &names)
      : preprocessor(preprocessor), places(preprocessor.getSourceManager(), paths, names),
        pragmas(preprocessor, places), headers(preprocessor, places, pragmas),
        compiledOut(preprocessor, places) {}

  const clang::Preprocessor &preprocessor;
  Places places;
  ProjectPragmas pragmas; // before `headers`, which asks it at each change of files
  HeaderTokens headers;
  CompiledOut compiledOut;
};

} // namespace retest
