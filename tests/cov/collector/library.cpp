inline int shared() { return 5; }

int answer() { return shared(); }
