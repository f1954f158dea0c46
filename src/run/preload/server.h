#pragma once

namespace retest::preload {

using Main = int (*)(int, char **, char **);

/// Remembers which files are open when the program starts: those are not its own.
void noteOpenFiles();

/// Answers requests on the socket until it is closed: each forks a child that runs `main` with the
/// wanted arguments. Returns in the child, with its exit code; the server itself ends here.
int serve(int socket, Main main, char **environment);

} // namespace retest::preload
