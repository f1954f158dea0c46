#include "run/test_outcome.h"

#include <llvm/ADT/STLExtras.h>

namespace retest {

namespace {

std::vector<CMakeExpression> compiled(const std::vector<std::string> &texts,
                                      std::vector<std::string> &refused) {
  std::vector<CMakeExpression> result;
  for (const std::string &text : texts) {
    if (auto expression = CMakeExpression::compile(text))
      result.push_back(std::move(*expression));
    else
      refused.push_back(llvm::toString(expression.takeError()));
  }
  return result;
}

bool isOneFound(const std::vector<CMakeExpression> &expressions, llvm::StringRef text) {
  return llvm::any_of(expressions, [&](const auto &each) { return each.isFoundIn(text); });
}

} // namespace

OutcomeRules outcomeRulesOf(const SuiteEntry &entry) {
  OutcomeRules rules{entry.willFail, entry.skipReturnCode, entry.errorReturnCode,
                     entry.mayCrashToFail, !entry.passExpressions.empty()};
  rules.pass = compiled(entry.passExpressions, rules.refused);
  rules.fail = compiled(entry.failExpressions, rules.refused);
  rules.skip = compiled(entry.skipExpressions, rules.refused);
  return rules;
}

TestStatus statusOf(const OutcomeRules &rules, const RunEnd &end, llvm::StringRef output) {
  if (end.timedOut)
    return TestStatus::TimedOut;
  if (end.signal != 0)
    return rules.willFail && rules.mayCrashToFail ? TestStatus::Passed : TestStatus::Crashed;
  std::string text = rules.readsOutput() ? outputForExpressions(output) : std::string();
  if (rules.skipReturnCode == end.exitCode || isOneFound(rules.skip, text))
    return TestStatus::Skipped;
  if (rules.errorReturnCode == end.exitCode)
    return TestStatus::Failed;
  bool succeeded = rules.hasPassExpressions ? isOneFound(rules.pass, text) : end.exitCode == 0;
  succeeded &= !isOneFound(rules.fail, text);
  return succeeded != rules.willFail ? TestStatus::Passed : TestStatus::Failed;
}

std::string outputForExpressions(llvm::StringRef output) {
  std::string text;
  while (!output.empty()) {
    std::size_t end = std::min(output.find_first_of(llvm::StringRef("\n\0", 2)), output.size());
    text += output.take_front(end).rtrim('\r');
    text += '\n';
    output = output.drop_front(std::min(end + 1, output.size()));
  }
  return text;
}

} // namespace retest
