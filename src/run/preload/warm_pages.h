// Copies pages of a fresh child ahead of the test that will write them. A test writes to most of
// what its framework made before main, and each page would cost it a fault.
#pragma once

namespace retest::preload {

/// In the process that is to be forked: notes which pages its children have to copy before they
/// write.
void noteSharedPages();

/// In a child that waits for something to read from `socket`: copies the pages that children before
/// it have written, until it is there.
void copyWrittenPages(int socket);

/// In a child that ends: lets those that come see what it has written.
void noteWrittenPages();

} // namespace retest::preload
