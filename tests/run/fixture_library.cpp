// Loaded by the fixture program while it runs.
extern "C" int answer() { return 42; }
