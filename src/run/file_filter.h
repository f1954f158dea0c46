#pragma once

#include <llvm/Support/Error.h>

#include <linux/audit.h>

namespace retest {

/// Calls of all others are reported too: their numbers mean something else.
#if defined(__x86_64__)
inline constexpr unsigned kFilterArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
inline constexpr unsigned kFilterArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the numbers of system calls of this architecture are to be added"
#endif

/// From now on each call of `fileCalls` that this thread makes, or any process that it starts,
/// waits until it is answered at the descriptor that is returned (seccomp user notification). The
/// filter cannot be taken off, and there can be but one on a process.
///
/// Only names are watched: reading, writing and mapping open files goes as fast as ever.
llvm::Expected<int> installFileFilter();

} // namespace retest
