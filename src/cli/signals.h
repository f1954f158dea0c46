#pragma once

namespace retest {

/// From here on SIGINT and SIGTERM end the program with 130 and 143, and all running children
/// with it. A signal that was ignored when we started (nohup) stays ignored.
void endOnSignals();

} // namespace retest
