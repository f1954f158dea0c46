#pragma once

// What shows how a suite was run: several times, or several tests at once. Each is without effect
// unless the environment names a directory for it.

/// Goes left, where it reads data.txt, and right in turns (HABITS_TURNS). With HABITS_CRASH there
/// is no way back from the left.
void turns();

/// Waits for the test `other` to run at the same time as this one, `name` (HABITS_MEETING): so
/// many seconds.
void meet(const char *name, const char *other, int seconds);

/// How long tests of one program wait for each other (HABITS_PATIENCE).
int patience();
