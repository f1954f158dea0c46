#pragma once

namespace retest::preload {

/// Puts counter files in place of the counters' memory, for all modules that have counters and are
/// not mapped yet. `directory` must stay valid. Safe to call again when modules were loaded.
void mapCounters(const char *directory);

/// Around `fork`: the first and the last page hold variables of the program, too, and what the
/// parent writes there after the fork must not be seen by the child. In between they are private
/// copies. REQUIRES: no other thread runs.
void unshareEdges();
void shareEdges();

/// In a forked child: files of its own, in `directory`, with what was counted so far.
void remapCounters(const char *directory);

/// The same in a child that is a test: its counters begin at zero. The first modules take `files`,
/// which are closed.
void restartCounters(const char *directory, const int *files, unsigned count);

/// In a child of a process with several threads: who holds the loader's lock may not be here. So
/// nobody waits for it any more but who has something loaded or unloaded, as the loader does
/// itself.
void noteUncertainLock();
bool isLockUncertain();

/// Whether all that is loaded, and has counters of GCC, is mapped. Needs no lock: the kernel is
/// asked. If not, counts are lost: that is noted in `directory`, and the process is not said to
/// have ended.
bool areAllMapped(const char *directory);

/// A second thread is about to run: from now on counts may get lost. Written into all files.
void noteThreads();
bool hadThreads();

/// How many modules have counters.
unsigned countedModules();

/// Whether one of them was built by GCC.
bool hasGccModules();

/// Whether the process has come to its end (CounterFileHeader::hasEnded). Written into the files
/// of this process alone: after `vfork` they are the parent's.
void noteEnded(bool hasEnded);

/// Modules were unloaded: what they counted stays in their files. `hasEnded`: of their functions.
void forgetUnloaded(bool hasEnded);

} // namespace retest::preload
