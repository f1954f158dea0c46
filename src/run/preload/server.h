#pragma once

namespace retest::preload {

using Main = int (*)(int, char **, char **);

/// Remembers which files are open when the program starts: those are not its own.
void noteOpenFiles();

/// Until `serve`: what a process of the program leaves behind when it ends is the program's child,
/// so that all its processes can be told of.
void adoptOrphans();

/// The program has made a timer.
void noteTimer();

/// Answers requests on the socket until it is closed: for each a child runs `main` with the wanted
/// arguments, and exits with its result.
[[noreturn]] void serve(int socket, Main main);

} // namespace retest::preload
