#pragma once

#include "diff/comparison.h"

namespace retest {

/// Why every function of a unit counts as changed, if there is a reason: flags, or another view of
/// the headers outside the project and of their templates.
std::optional<Reason> reasonOfUnit(const Comparison &comparison, const ProjectUnit &old,
                                   const ProjectUnit &now);

/// The same for code that was in one unit and is now taken from another: of the headers, only those
/// that both read are compared.
std::optional<Reason> reasonOfMove(const Comparison &comparison, const ProjectUnit &from,
                                   const ProjectUnit &to);

} // namespace retest
