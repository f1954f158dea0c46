inline int fromHeader() { return 0; }
