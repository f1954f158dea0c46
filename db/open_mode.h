#pragma once

namespace retest {

/// Read: nothing is created or changed; the file may lie in a read-only place.
enum class OpenMode { Read, Write };

} // namespace retest
