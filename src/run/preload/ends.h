#pragma once

namespace retest::preload {

// How a process ends, and whether its counters tell all that it did.
//
// GCC does not count all steps of a function, but as few as it takes to know the others from what
// comes into a block and what goes out. A call may never come back, which it allows for; a signal
// in between it does not. Clang counts every step, but optimised code may keep a count in a
// register as long as a loop without calls runs. So a process says in its counter files when it
// ends with all its functions at their end or at a call: by `exit`, `_exit`, `abort`, `exec`,
// with no other thread running and not from inside of a signal handler. Whoever says nothing was
// killed.

/// Must be called before the program registers exit handlers: ours is the last one then.
/// `directory`: as for mapCounters; may be empty, and change.
void watchEnds(const char *directory);

/// Remembers who we are: when a child of `vfork` ends, its parent does not.
void noteProcess();

/// Maps the counters of modules that were loaded meanwhile, unless nobody may wait for the loader.
/// Those of GCC do not announce themselves.
void mapLoadedCounters();

/// The process ends here, or nothing of the program runs any more.
void noteEnd();

} // namespace retest::preload
