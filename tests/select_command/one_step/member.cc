int member() { return 0; }
