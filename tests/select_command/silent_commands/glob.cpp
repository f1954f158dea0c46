extern int feature __attribute__((weak));
int known();

int main() { return &feature ? feature : known(); }
