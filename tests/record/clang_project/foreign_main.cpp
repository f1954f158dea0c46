extern "C" int hidden();
extern "C" int jump();
inline int unused() { return hidden(); } // a caller that is seen, and that nobody runs
int main(int count, char **) { return count > 1 ? jump() : 0; }
