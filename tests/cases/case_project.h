#pragma once

#include "diff/compare.h"
#include "report/delta_words.h"
#include "select/select_rules.h"
#include "tests/cases/case_coverage.h"
#include "tests/cases/case_file.h"

#include <memory>

namespace retest {

/// Both versions of a case, extracted with Clang and linked.
class CaseProject {
public:
  explicit CaseProject(const CaseFile &file);

  Delta compare(const Rules &rules = {}) const;

  /// What a delta says in the words of the case's `dangerous` section, sorted; with reasons.
  std::vector<std::string> dangerous(const Delta &delta) const;

  /// What the delta means for the tests of the case, in the words of its `expect` section, sorted.
  std::vector<std::string> verdicts(const Delta &delta, const SelectRules &rules = {}) const;

  /// Units that do not parse, with Clang's error.
  const std::vector<std::string> &errors() const { return errors_; }

private:
  Project build(const CaseVersion &version, const std::string &directory);
  DeltaView view() const;

  std::unique_ptr<Names> names_ = std::make_unique<Names>();
  const CaseFile &file_;
  std::vector<std::string> errors_;
  Project baseline_, current_;
  CoverageMatrix matrix_; ///< of the `coverage` section
};

} // namespace retest
