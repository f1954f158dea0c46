inline int told() { return 0; }
