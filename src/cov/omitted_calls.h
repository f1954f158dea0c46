#pragma once

#include "graph/program_graph.h"

namespace retest {

/// The functions of which Clang may leave out calls, so that counters do not tell who runs them.
///
/// It calls no destructor where it can tell in advance that nothing comes of it; in C++20, for
/// every variable of a class with a constexpr or defaulted one. That evaluates the destructor and
/// all constexpr functions that it comes to: by name, or through a pointer that the object holds.
///
///     struct Guard { void (*end)(int); constexpr ~Guard() { end(1); } };
///     const Guard guard{quiet};          // no call of ~Guard, none of quiet
///
/// Who holds what is not looked at: if a program has such a destructor, every constexpr function
/// whose address is taken somewhere counts. Sorted.
std::vector<FunctionId> functionsWithOmittedCalls(const Project &project);

/// Those of which an optimiser leaves out calls, or calls something else instead:
///
///   - functions that are declared to do nothing but compute their result, where it knows that, and
///   all
///     that these may call:
///
///         [[gnu::const]] int limit() { return defaultLimit(); }   // 5 is used instead
///
///   - destructors with nothing but the destructor of a base in them, which takes their place, in
///   some
///     units or in all.
///
/// Sorted.
std::vector<FunctionId> functionsThatOptimisersReplace(const Project &project);

} // namespace retest
