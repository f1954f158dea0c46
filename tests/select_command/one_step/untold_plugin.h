inline int value() { return 0; }
