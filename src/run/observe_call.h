#pragma once

#include "run/observed_files.h"

#include <linux/seccomp.h>
#include <string>

namespace retest {

/// Notes what a call that is about to be made tells. `listener`: where it was reported; `preload`:
/// the real path of our library.
void observeCall(const seccomp_notif &call, int listener, const std::string &preload,
                 ObservedFiles &observed);

} // namespace retest
